import { isRecord } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import type { RawReply } from "@foundry-mcp/toolkit/client";

/** What the gateway learns about one call while it runs; passed as the notes of the call. */
export interface Observation {
  /** The upstream that was called; undefined if none was. */
  upstream?: string;
  /** The number of characters of the text that the upstream answered, or of its structured content as JSON. */
  chars?: number;
}

/** The part of a context through which a call is observed. */
type Observed = Pick<Context, "notes">;

/** Records in the observation of a call that an upstream is called. */
export function observeCall({ notes }: Observed, upstream: string): void {
  const observation: Observation | undefined = notes;
  if (observation !== undefined) observation.upstream = upstream;
}

/** Records the reply of the upstream in the observation of a call. */
export function observeReply({ notes }: Observed, reply: RawReply): void {
  const observation: Observation | undefined = notes;
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
