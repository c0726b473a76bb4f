import { type Envelope, type ErrorCatalogue, retryAfter, toHttpStatus } from "@foundry-mcp/contract";
import type { Wire } from "../dispatch/to-dialect.ts";

/** An envelope as an HTTP response: the status of its code, its request id, and when to come back. */
export function toEnvelopeResponse(
  { envelope, text }: Pick<Wire, "envelope" | "text">,
  errors?: ErrorCatalogue,
): Response {
  return new Response(text, {
    status: toHttpStatus(envelope, errors),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": String(envelope.meta.request_id),
      ...retryHeader(envelope),
    },
  });
}

function retryHeader(envelope: Envelope): Record<string, string> {
  const seconds = envelope.success ? undefined : retryAfter(envelope);
  return seconds === undefined ? {} : { "retry-after": String(Math.ceil(seconds)) };
}
