import { type Envelope, retryAfter } from "@foundry-mcp/contract";

/** When to come back, as HTTP says it; empty where the envelope does not tell. */
export function toRetryHeader(envelope: Envelope): Record<string, string> {
  const seconds = envelope.success ? undefined : retryAfter(envelope);
  return seconds === undefined ? {} : { "retry-after": String(Math.ceil(seconds)) };
}
