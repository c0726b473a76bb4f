const key = "foundry-token";

let memory: string | undefined;

/** Returns the token of this page; undefined if nobody has signed in. */
export function readToken(): string | undefined {
  return memory ?? storage()?.getItem(key) ?? undefined;
}

/**
 * Keeps a token for this page. `session` also keeps it until the tab is closed, so that it survives a reload. The
 * token never becomes part of an address, and never leaves this tab otherwise.
 */
export function keepToken(token: string, keepIn: "memory" | "session"): void {
  memory = token;
  storage()?.removeItem(key);
  if (keepIn === "session") storage()?.setItem(key, token);
}

/** Forgets the token. */
export function forgetToken(): void {
  memory = undefined;
  storage()?.removeItem(key);
}

/** A browser may refuse access to its storage. */
function storage(): Storage | undefined {
  try {
    return globalThis.sessionStorage;
  } catch {
    return undefined;
  }
}
