import type { Writable } from "node:stream";

/** A stream whose writes go elsewhere for a while. */
export interface RedirectedStream {
  /** Writes to the stream itself, past the diversion. */
  readonly write: Writable["write"];
  /** Gives the stream back its own way to write. */
  restore(): void;
}

/** Sends what anyone writes to a stream to another one: what must stay clean is not theirs to write to. */
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
