/** Something that is opened when it is first needed. */
export interface Once<T> {
  /** What is open; it is opened where it is not. */
  get(): Promise<T>;
  /** What is open; undefined where nothing ever needed it. */
  readonly opened: Promise<T> | undefined;
}

/** Opens something once; what could not be opened is tried again the next time, for it may be there then. */
export function openOnce<T>(open: () => Promise<T>): Once<T> {
  let opened: Promise<T> | undefined;
  return {
    get() {
      opened ??= open();
      opened.catch(() => {
        opened = undefined;
      });
      return opened;
    },
    get opened() {
      return opened;
    },
  };
}
