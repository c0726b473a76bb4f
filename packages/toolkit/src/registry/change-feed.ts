/** What has changed of a server's offer. */
export type Change =
  | { readonly kind: "tools" }
  | { readonly kind: "prompts" }
  | { readonly kind: "resources" }
  | { readonly kind: "resource"; readonly uri: string };

/** Passes changes on to whoever listens. */
export interface ChangeFeed {
  publish(change: Change): void;
  subscribe(listener: (change: Change) => void): () => void;
}

/** Creates a feed; a listener that throws does not keep the others from hearing. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch {
          // A connection that is gone cannot be told.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
