import type { Writable } from "node:stream";

/** A stream whose writes go to another stream until `restore` is called. */
export interface RedirectedStream {
  /** Writes to the stream itself, bypassing the redirection. */
  readonly write: Writable["write"];
  /** Ends the redirection. */
  restore(): void;
}

/**
 * Redirects the writes of other code to another stream, so that a protocol stream such as stdout contains only the
 * protocol.
 */
export function redirectWrites(from: Writable, to: Writable): RedirectedStream {
  const { write } = from;
  const hasOwn = Object.hasOwn(from, "write");
  from.write = ((...args: Parameters<Writable["write"]>) => to.write(...args)) as Writable["write"];
  return {
    write: write.bind(from) as Writable["write"],
    restore() {
      if (hasOwn) from.write = write;
      else Reflect.deleteProperty(from, "write");
    },
  };
}
