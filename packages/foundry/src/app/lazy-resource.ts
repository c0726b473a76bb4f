/** A resource that is opened when it is first needed. */
export interface LazyResource<T> {
  get(): Promise<T>;
  /** Closes the resource; does nothing where it was never opened. */
  close(): Promise<void>;
}

/** Creates a resource that opens on the first `get`; after a failure the next `get` tries again. */
export function createLazyResource<T extends { close(): Promise<void> }>(
  open: () => Promise<T>,
): LazyResource<T> {
  let opened: Promise<T> | undefined;
  return {
    get() {
      opened ??= open();
      opened.catch(() => {
        opened = undefined;
      });
      return opened;
    },
    async close() {
      await (await opened)?.close();
    },
  };
}
