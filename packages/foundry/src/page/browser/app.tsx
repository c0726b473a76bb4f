import { useEffect } from "preact/hooks";
import { ConflictDialog } from "./conflict/conflict-dialog.tsx";
import { CurrentView } from "./current-view.tsx";
import { Dialogs } from "./dialogs.tsx";
import { Header } from "./header.tsx";
import { LoginForm } from "./login-form.tsx";
import { OfflineBanner } from "./offline-banner.tsx";
import { ErrorBox } from "./parts/error-box.tsx";
import { Loading } from "./parts/loading.tsx";
import { Toasts } from "./parts/toasts.tsx";
import { useShortcuts } from "./shortcuts.ts";
import { closeConnection, openConnection } from "./state/connection.ts";
import { openSession, session } from "./state/session.ts";
import { readSpecList } from "./state/spec-list.ts";
import { useStore } from "./state/store.ts";

/** The whole page. */
export function App() {
  const current = useStore(session);
  const isOpen = current.state === "open";
  useEffect(() => {
    if (!isOpen) return;
    void readSpecList();
    openConnection();
    return closeConnection;
  }, [isOpen]);
  useShortcuts(isOpen);
  if (current.state === "locked") return <LoginForm reason={current.reason} />;
  if (current.state !== "open")
    return (
      <main class="alone">
        <h1>Foundry</h1>
        {current.state === "loading" ? (
          <Loading label="Connecting to the server" />
        ) : (
          <ErrorBox error={current.error} onRetry={() => void openSession()} />
        )}
      </main>
    );
  return (
    <>
      <a class="skip-link" href="#main" onClick={skipToMain}>
        Skip to content
      </a>
      <Header session={current.session} />
      <OfflineBanner />
      <main id="main" tabIndex={-1}>
        <CurrentView />
      </main>
      <Dialogs />
      <ConflictDialog />
      <Toasts />
    </>
  );
}

/** The part behind the # of the address is the route, so that this link must not change it. */
function skipToMain(event: Event): void {
  event.preventDefault();
  document.getElementById("main")?.focus();
}
