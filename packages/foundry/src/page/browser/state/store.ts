import { useEffect, useState } from "preact/hooks";

/** A value that components follow. */
export interface Store<T> {
  get(): T;
  set(value: T): void;
  update(change: (value: T) => T): void;
  /** Calls the listener after every change. Returns the function that removes the listener. */
  follow(listener: () => void): () => void;
}

/** Creates a store. Setting the same value again calls no listener. */
export function createStore<T>(initial: T): Store<T> {
  let value = initial;
  const listeners = new Set<() => void>();
  const set = (next: T) => {
    if (Object.is(next, value)) return;
    value = next;
    for (const listener of [...listeners]) listener();
  };
  return {
    get: () => value,
    set,
    update: (change) => set(change(value)),
    follow(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
  };
}

/** Returns the value of a store, and renders the component again when it changes. */
export function useStore<T>(store: Store<T>): T {
  const [, render] = useState({});
  const shown = store.get();
  useEffect(() => {
    const check = () => render({});
    // The value may have changed between the rendering and this effect.
    if (!Object.is(store.get(), shown)) check();
    return store.follow(check);
  }, [store]);
  return shown;
}
