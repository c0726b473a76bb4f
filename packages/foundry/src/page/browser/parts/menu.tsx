import type { ComponentChildren } from "preact";
import { useEffect, useId, useRef, useState } from "preact/hooks";

/** An entry of a menu. */
export interface MenuItem {
  readonly text: string;
  readonly hint?: string | undefined;
  readonly isChecked?: boolean | undefined;
  readonly isDangerous?: boolean | undefined;
  run(): void;
}

/** A button that opens a menu, as the ARIA practices describe it. */
export function Menu({
  label,
  children,
  items,
  class: given = "icon-button",
}: {
  readonly label: string;
  readonly children: ComponentChildren;
  readonly items: readonly MenuItem[];
  readonly class?: string;
}) {
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>("[role^=menuitem]") ?? [])];
  const close = () => {
    setOpen(false);
    button.current?.focus();
  };
  useEffect(() => {
    if (!isOpen) return;
    entries()[0]?.focus();
    const onOutside = (event: Event) => root.current?.contains(event.target as Node) || setOpen(false);
    document.addEventListener("pointerdown", onOutside);
    return () => document.removeEventListener("pointerdown", onOutside);
  }, [isOpen]);
  const onKey = (event: KeyboardEvent) => {
    const all = entries();
    const at = all.indexOf(document.activeElement as HTMLElement);
    const to = {
      ArrowDown: (at + 1) % all.length,
      ArrowUp: (at - 1 + all.length) % all.length,
      Home: 0,
      End: all.length - 1,
    }[event.key];
    if (event.key === "Escape" || event.key === "Tab") {
      if (event.key === "Escape") event.preventDefault();
      event.stopPropagation();
      close();
    } else if (to !== undefined) {
      event.preventDefault();
      event.stopPropagation();
      all[to]?.focus();
    }
  };
  return (
    <div class="menu" ref={root}>
      <button
        ref={button}
        type="button"
        class={given}
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        {children}
      </button>
      {isOpen && (
        <div id={id} class="menu-list" role="menu" aria-label={label} onKeyDown={onKey}>
          {items.map((item) => (
            <button
              key={item.text}
              type="button"
              tabIndex={-1}
              class={item.isDangerous === true ? "menu-item dangerous" : "menu-item"}
              role={item.isChecked === undefined ? "menuitem" : "menuitemradio"}
              aria-checked={item.isChecked}
              onClick={() => {
                close();
                item.run();
              }}
            >
              <span>{item.text}</span>
              {item.hint !== undefined && <span class="menu-hint">{item.hint}</span>}
            </button>
          ))}
        </div>
      )}
    </div>
  );
}
