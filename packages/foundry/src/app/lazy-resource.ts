/** A resource that is opened when it is first needed, for a given purpose. */
export interface LazyResource<T, P = void> {
  get(purpose: P): Promise<T>;
  /** Closes the resource. Does nothing if the resource was never opened, or if opening it failed. */
  close(): Promise<void>;
}

/**
 * Creates a resource that is opened by the first `get`. After a failure, the next `get` tries again. An open resource
 * serves every purpose, but a failure for one purpose does not affect other purposes.
 */
export function createLazyResource<T extends { close(): Promise<void> }, P = void>(
  open: (purpose: P) => Promise<T>,
): LazyResource<T, P> {
  let opened: { readonly purpose: P; readonly resource: Promise<T> } | undefined;
  const start = (purpose: P): Promise<T> => {
    const current = { purpose, resource: open(purpose) };
    opened = current;
    current.resource.catch(() => {
      if (opened === current) opened = undefined;
    });
    return current.resource;
  };
  const get = (purpose: P): Promise<T> => {
    if (opened === undefined) return start(purpose);
    return opened.purpose === purpose ? opened.resource : opened.resource.catch(() => get(purpose));
  };
  return {
    get,
    async close() {
      // A failure was already reported to the caller of `get`, and there is nothing to close.
      const resource = await opened?.resource.catch(() => undefined);
      await resource?.close();
    },
  };
}
