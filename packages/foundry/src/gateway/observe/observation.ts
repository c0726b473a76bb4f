import { AsyncLocalStorage } from "node:async_hooks";
import { isRecord } from "@foundry-mcp/contract";
import type { RawReply } from "@foundry-mcp/toolkit/client";

/** What the gateway learns about one call while it runs. */
export interface Observation {
  /** The upstream that was called; undefined if none was. */
  upstream?: string;
  /** The number of characters of the text that the upstream answered, or of its structured content as JSON. */
  chars?: number;
}

const current = new AsyncLocalStorage<Observation>();

/** Runs a call and collects what is learned about it. */
export function observe<T>(observation: Observation, run: () => T): T {
  return current.run(observation, run);
}

/** Records in the observation of the current call that an upstream is called. */
export function observeCall(upstream: string): void {
  const observation = current.getStore();
  if (observation !== undefined) observation.upstream = upstream;
}

/** Records the reply of the upstream in the observation of the current call. */
export function observeReply(reply: RawReply): void {
  const observation = current.getStore();
  if (observation === undefined || reply.kind !== "result") return;
  observation.chars = countChars(reply.result);
}

/** Counts the characters that a client without the gateway would show to its model; images are not counted. */
function countChars(result: unknown): number {
  if (!isRecord(result)) return 0;
  const { content, structuredContent } = result;
  let chars = 0;
  for (const block of Array.isArray(content) ? content : [])
    if (isRecord(block) && typeof block["text"] === "string") chars += block["text"].length;
  return chars > 0 || structuredContent === undefined ? chars : lengthOf(structuredContent);
}

/** Returns the length of a value as JSON; 0 for a value that JSON cannot contain. */
function lengthOf(value: unknown): number {
  try {
    return JSON.stringify(value)?.length ?? 0;
  } catch {
    return 0;
  }
}
