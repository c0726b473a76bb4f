import { useEffect, useId, useRef, useState } from "preact/hooks";
import { closeDialog } from "../acts/dialogs.ts";
import { counted } from "../parts/counted.ts";
import { Icon } from "../parts/icon.tsx";
import { Text } from "../parts/text.tsx";
import { type PaletteEntry, useEntries } from "./use-entries.ts";

/** Finds specs, tasks and acts by a few letters. */
export function Palette() {
  const dialog = useRef<HTMLDialogElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const { entries, isSearching } = useEntries(text);
  const chosen = Math.min(at, entries.length - 1);
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    input.current?.focus();
    return () => {
      if (before instanceof HTMLElement && before.isConnected && !document.querySelector("dialog[open]"))
        before.focus();
    };
  }, []);
  useEffect(() => {
    document.getElementById(`${id}-${chosen}`)?.scrollIntoView({ block: "nearest" });
  }, [chosen]);
  const run = (entry: PaletteEntry | undefined) => {
    if (entry === undefined) return;
    closeDialog();
    entry.run();
  };
  const onKey = (event: KeyboardEvent) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step !== undefined) {
      event.preventDefault();
      setAt((chosen + step + entries.length) % Math.max(1, entries.length));
    } else if (event.key === "Enter") {
      event.preventDefault();
      run(entries[chosen]);
    }
  };
  return (
    <dialog
      ref={dialog}
      class="dialog palette"
      aria-label="Search or jump to"
      onCancel={(event) => {
        event.preventDefault();
        closeDialog();
      }}
      onClick={(event) => event.target === dialog.current && closeDialog()}
    >
      <div class="palette-body">
        <div class="palette-field">
          <Icon name="search" />
          <input
            ref={input}
            type="text"
            role="combobox"
            aria-label="Search specs, tasks and acts"
            aria-expanded="true"
            aria-controls={`${id}-list`}
            aria-activedescendant={entries.length === 0 ? undefined : `${id}-${chosen}`}
            aria-autocomplete="list"
            placeholder="Search specs, tasks and acts"
            autocomplete="off"
            spellcheck={false}
            value={text}
            onInput={({ currentTarget }) => {
              setText(currentTarget.value);
              setAt(0);
            }}
            onKeyDown={onKey}
          />
        </div>
        <ul id={`${id}-list`} class="palette-list" role="listbox" aria-label="Results">
          {entries.map((entry, index) => (
            <li
              key={entry.key}
              id={`${id}-${index}`}
              role="option"
              aria-selected={index === chosen}
              onClick={() => run(entry)}
              onPointerMove={() => setAt(index)}
            >
              <Icon name={entry.icon} />
              <span class="palette-text">
                <Text text={entry.text} max={140} />
                {entry.hint !== "" && (
                  <small>
                    <Text text={entry.hint} max={140} />
                  </small>
                )}
              </span>
              {entry.keys !== undefined && <kbd>{entry.keys}</kbd>}
            </li>
          ))}
        </ul>
        <p class="palette-state" role="status">
          {entries.length === 0
            ? isSearching
              ? "Searching…"
              : "Nothing found"
            : counted(entries.length, "result")}
        </p>
      </div>
    </dialog>
  );
}
