import type { Failure } from "../envelope/envelope.ts";
import { type ErrorCatalogue, errorCatalogue } from "./error-catalogue.ts";
import { retryAfter, toHttpStatus } from "./retry.ts";

/** The RFC 9457 problem details of a failure: the body of `application/problem+json`. */
export interface ProblemDetails {
  /** The error code as a URN, such as `urn:foundry-mcp:error:SPEC_NOT_FOUND`. */
  readonly type: string;
  readonly title: string;
  readonly status: number;
  readonly detail: string;
  /** The request id as a URN, `urn:foundry-mcp:request:req_…`, if the request has an id. */
  readonly instance?: string;
  readonly [extension: string]: unknown;
}

/**
 * Converts a failure to problem details; keys of the failure's data that have no counterpart in RFC 9457
 * become extension members.
 */
export function toProblemDetails(
  failure: Failure,
  catalogue: ErrorCatalogue = errorCatalogue,
): ProblemDetails {
  const { error_code: code = "INTERNAL_ERROR", ...rest } = failure.data;
  const seconds = retryAfter(failure);
  return {
    ...rest,
    ...(seconds === undefined ? {} : { retry_after_seconds: seconds }),
    error_code: code,
    type: `urn:foundry-mcp:error:${encodeURIComponent(code.toWellFormed())}`,
    title: toTitle(code),
    status: toHttpStatus(failure, catalogue),
    detail: failure.error,
    ...(failure.meta.request_id === undefined
      ? {}
      : { instance: `urn:foundry-mcp:request:${failure.meta.request_id}` }),
  };
}

function toTitle(code: string): string {
  const words = code.toLowerCase().replaceAll("_", " ");
  return words.charAt(0).toUpperCase() + words.slice(1);
}
