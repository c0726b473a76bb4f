import type { Writable } from "node:stream";
import { internal } from "@foundry-mcp/contract";
import { divertWrites } from "../context/divert-writes.ts";

/** The stream that carries the protocol, and the way to give stdout back. */
export interface TakenStdout {
  readonly protocol: Writable;
  release(): void;
}

const taken = new WeakSet<Writable>();

/**
 * Keeps stdout for the protocol: what handlers and libraries print there goes to stderr instead,
 * where one stray line cannot break a client's parser. Two servers on one stream would answer every
 * call twice, so the second is refused.
 */
export function takeStdout(
  stdout: Writable = process.stdout,
  stderr: Writable = process.stderr,
): TakenStdout {
  if (taken.has(stdout)) throw internal("Cannot serve over stdout: another server of this process does");
  taken.add(stdout);
  const { write, restore } = divertWrites(stdout, stderr);
  // The same stream, with its own way to write: everything else, such as its events, is shared.
  const protocol = Object.create(stdout, {
    write: { value: write, writable: true, configurable: true },
  }) as Writable;
  return {
    protocol,
    release() {
      restore();
      taken.delete(stdout);
    },
  };
}
