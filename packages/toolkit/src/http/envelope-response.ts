import { type ErrorCatalogue, toHttpStatus } from "@foundry-mcp/contract";
import type { Outcome } from "../dispatch/dispatch.ts";
import { toRateLimitHeaders } from "./rate-limit-headers.ts";
import { toRetryHeader } from "./retry-header.ts";

/** What a response is made of: an envelope and, where a tool was called, the client's quota. */
export type Answer = Pick<Outcome, "envelope" | "text"> & Partial<Pick<Outcome, "quota">>;

/** What a response says besides its envelope. */
export interface ResponseOptions {
  readonly errors?: ErrorCatalogue | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
}

/** An envelope as an HTTP response: the status of its code, its request id, the quota, and when to come back. */
export function toEnvelopeResponse(
  { envelope, text, quota }: Answer,
  { errors, headers }: ResponseOptions,
): Response {
  return new Response(text, {
    status: toHttpStatus(envelope, errors),
    headers: {
      "content-type": "application/json; charset=utf-8",
      "x-request-id": String(envelope.meta.request_id),
      ...toRateLimitHeaders(quota),
      ...toRetryHeader(envelope),
      ...headers,
    },
  });
}
