/** A change of what a server offers. */
export type Change =
  | { readonly kind: "tools" }
  | { readonly kind: "prompts" }
  | { readonly kind: "resources" }
  | { readonly kind: "resource"; readonly uri: string };

/** Publishes changes to subscribers. */
export interface ChangeFeed {
  publish(change: Change): void;
  subscribe(listener: (change: Change) => void): () => void;
}

/** Creates a feed; a listener that throws does not affect the others. */
export function createChangeFeed(): ChangeFeed {
  const listeners = new Set<(change: Change) => void>();
  return {
    publish(change) {
      for (const listener of listeners) {
        try {
          listener(change);
        } catch {
          // The connection of the listener is closed.
        }
      }
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
