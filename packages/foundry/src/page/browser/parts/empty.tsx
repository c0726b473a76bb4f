import type { ComponentChildren } from "preact";
import { Icon, type IconName } from "./icon.tsx";

/** A place without content: what belongs here, and how it gets here. */
export function Empty({
  icon,
  title,
  isPage = false,
  children,
}: {
  readonly icon: IconName;
  readonly title: string;
  /** True if there is nothing else on the page. */
  readonly isPage?: boolean;
  readonly children?: ComponentChildren;
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      {isPage ? <h1 class="empty-title">{title}</h1> : <p class="empty-title">{title}</p>}
      {children}
    </div>
  );
}
