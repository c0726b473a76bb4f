import { useEffect, useState } from "preact/hooks";
import { connection, retryNow } from "./state/connection.ts";
import { useStore } from "./state/store.ts";

/** A server that is started again is back within this time, and the banner would only flicker. */
const graceMs = 600;

/** Says that the server does not answer, and that what is shown may be old. */
export function OfflineBanner() {
  const current = useStore(connection);
  const [isLong, setLong] = useState(false);
  const isOffline = current.state === "offline";
  useEffect(() => {
    setLong(false);
    if (!isOffline) return;
    const timer = setTimeout(() => setLong(true), graceMs);
    return () => clearTimeout(timer);
  }, [isOffline]);
  if (!isOffline || !isLong) return null;
  return (
    <div class="banner" role="alert">
      <p>
        <strong>The server does not answer.</strong> What you see may be old. The page reconnects by itself
        and then shows what it missed.
      </p>
      <button type="button" onClick={retryNow}>
        Try now
      </button>
    </div>
  );
}
