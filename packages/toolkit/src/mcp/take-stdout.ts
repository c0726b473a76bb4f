import type { Writable } from "node:stream";

/** The stream that carries the protocol, and the way to give stdout back. */
export interface TakenStdout {
  readonly protocol: Writable;
  release(): void;
}

/**
 * Keeps stdout for the protocol: what handlers and libraries print there goes to stderr instead,
 * where one stray line cannot break a client's parser.
 */
export function takeStdout(
  stdout: Writable = process.stdout,
  stderr: Writable = process.stderr,
): TakenStdout {
  const write = stdout.write;
  // The same stream, with its own way to write: everything else, such as its events, is shared.
  const protocol = Object.create(stdout, {
    write: { value: write.bind(stdout), writable: true, configurable: true },
  }) as Writable;
  stdout.write = ((...args: Parameters<Writable["write"]>) => stderr.write(...args)) as Writable["write"];
  return {
    protocol,
    release() {
      stdout.write = write;
    },
  };
}
