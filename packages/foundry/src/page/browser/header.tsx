import { openDialog } from "./acts/dialogs.ts";
import type { Session } from "./api/session.ts";
import { Icon, type IconName } from "./parts/icon.tsx";
import { Menu } from "./parts/menu.tsx";
import { Text } from "./parts/text.tsx";
import { currentRoute } from "./routes/current-route.ts";
import { connection } from "./state/connection.ts";
import { signOut } from "./state/session.ts";
import { useStore } from "./state/store.ts";
import { setTheme, type Theme, theme } from "./state/theme.ts";

const places: readonly { name: string; icon: IconName; text: string; hash: string }[] = [
  { name: "specs", icon: "list", text: "Specs", hash: "#/" },
  { name: "now", icon: "pulse", text: "Now", hash: "#/now" },
  { name: "gateway", icon: "gate", text: "Gateway", hash: "#/gateway" },
  { name: "contract", icon: "check", text: "Contract", hash: "#/contract" },
];

const themes: readonly { name: Theme; text: string; icon: IconName }[] = [
  { name: "system", text: "Like the system", icon: "system" },
  { name: "light", text: "Light", icon: "sun" },
  { name: "dark", text: "Dark", icon: "moon" },
];

/** The bar at the top: where the page is, and who uses it. */
export function Header({ session }: { readonly session: Session }) {
  const route = useStore(currentRoute);
  const chosen = useStore(theme);
  const here = route.name === "spec" ? "specs" : route.name;
  const who = session.token_required ? (session.principal ?? "you") : "this machine";
  return (
    <header class="page-header">
      <a class="brand" href="#/" aria-label="Foundry, all specs">
        <svg viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="7" />
          <path d="M8 9h16v4.5H13V16h8.5v4.5H13V25H8z" />
        </svg>
        <span>Foundry</span>
      </a>
      <nav class="places" aria-label="Page">
        {places.map(({ name, icon, text, hash }) => (
          <a key={name} href={hash} aria-current={here === name ? "page" : undefined}>
            <Icon name={icon} />
            <span>{text}</span>
          </a>
        ))}
      </nav>
      <button type="button" class="search-button" onClick={() => openDialog.set({ kind: "palette" })}>
        <Icon name="search" />
        <span>Search or jump to</span>
        <kbd>{isMac ? "⌘" : "Ctrl"} K</kbd>
      </button>
      <ConnectionMark />
      <Menu
        label="Settings"
        items={[
          ...themes.map(({ name, text }) => ({
            text,
            isChecked: chosen === name,
            run: () => setTheme(name),
          })),
          { text: "Keyboard shortcuts", hint: "?", run: () => openDialog.set({ kind: "keys" }) },
          ...(session.token_required ? [{ text: "Sign out", run: () => void signOut() }] : []),
        ]}
      >
        <Icon name={themes.find(({ name }) => name === chosen)?.icon ?? "system"} />
      </Menu>
      <span class="who" title={`${session.server.name} ${session.server.version}`}>
        <Icon name={session.can_write ? "person" : "lock"} />
        <span>
          <Text text={who} max={40} />
          {!session.can_write && <span class="read-only">read only</span>}
        </span>
      </span>
    </header>
  );
}

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

function ConnectionMark() {
  const { state } = useStore(connection);
  const text = { live: "Live", connecting: "Connecting", offline: "Offline" }[state];
  return (
    <span class={`connection connection-${state}`} role="status" title={`Changes of others: ${text}`}>
      <span class="connection-dot" aria-hidden="true" />
      <span class="connection-text">{text}</span>
    </span>
  );
}
