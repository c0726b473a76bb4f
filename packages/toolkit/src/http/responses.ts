import {
  type ContractError,
  type Envelope,
  type ErrorCatalogue,
  fromUnknown,
  retryAfter,
  successResponse,
  toHttpStatus,
} from "@foundry-mcp/contract";
import { resolveRequestId } from "../context/request-id.ts";
import { parseContractName } from "../dispatch/choose-dialect.ts";
import type { Outcome } from "../dispatch/dispatch.ts";
import { countV1 } from "../dispatch/telemetry/instruments.ts";
import { toDialect, toDialectContext } from "../dispatch/to-dialect.ts";
import { toClientIdMeta } from "../dispatch/to-envelope.ts";
import { type RpcErrorOptions, toRpcError } from "../mcp/rpc-error.ts";
import type { Registry } from "../registry/registry.ts";

type HeaderValues = Readonly<Record<string, string>>;

/** An encoded envelope and, for a tool call, the client's quota. */
type EncodedAnswer = Pick<Outcome, "envelope" | "text"> & Partial<Pick<Outcome, "quota">>;

/** The error catalogue, which determines the HTTP status, and the additional headers of the response. */
export interface ResponseOptions {
  readonly errors?: ErrorCatalogue | undefined;
  readonly headers?: HeaderValues | undefined;
}

/**
 * Converts an envelope to an HTTP response with the status of its error code, and headers for request id, quota and
 * Retry-After.
 */
export function toEnvelopeResponse(
  { envelope, text, quota }: EncodedAnswer,
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

/** Answers requests that call no tool (probes, unknown routes, refused callers) with envelopes. */
export interface Responder {
  succeed(data: object, request: Request, headers?: HeaderValues): Response;
  fail(thrown: unknown, request: Request, headers?: HeaderValues): Response;
}

/** Creates the responder of a server, which answers in the response contract that the request names. */
export function createResponder({ options }: Registry): Responder {
  const defaults = toDialectContext(options);
  const respond = (envelope: Envelope, request: Request, headers: HeaderValues = {}) => {
    const requested = requestedContract(request);
    const granted = requested === undefined ? undefined : parseContractName(requested, options).dialect;
    const dialect = granted ?? options.dialect;
    // This use of response-v1 is counted but not logged as deprecated, because that log line is only for
    // clients that call tools.
    if (dialect === "response-v1") countV1();
    return toEnvelopeResponse(toDialect(envelope, { ...defaults, dialect }), {
      errors: options.errors,
      headers,
    });
  };
  return {
    succeed: (data, request, headers) =>
      respond(successResponse(data, metaOf(request)) as Envelope, request, headers),
    fail: (thrown, request, headers) => respond(fromUnknown(thrown, metaOf(request)), request, headers),
  };
}

/** Returns the metadata of a response to a request that calls no tool; the duration is 0. */
function metaOf(request: Request) {
  const ids = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
  return { requestId: ids.requestId, telemetry: { durationMs: 0 }, meta: toClientIdMeta(ids) };
}

/** Returns the response contract that a request names in its header; undefined if the request has no such header. */
export function requestedContract({ headers }: Request): string | undefined {
  return headers.get("foundry-response-contract") ?? undefined;
}

/**
 * The options of a refusal: the HTTP status if it does not follow from the error code, the JSON-RPC code and the
 * id.
 */
export interface RpcResponseOptions extends Pick<RpcErrorOptions, "rpcCode" | "id"> {
  readonly status?: number;
  readonly headers?: HeaderValues;
}

/**
 * Creates the response to a request to `/mcp` that is refused before any tool is called: a JSON-RPC error whose
 * data is an envelope.
 */
export function toRpcErrorResponse(
  refusal: ContractError,
  request: Request,
  options: RpcResponseOptions = {},
): Response {
  const requestId = request.headers.get("x-request-id") ?? undefined;
  const body = toRpcError(refusal, { ...options, requestId });
  const { data } = body.error;
  const { status = toHttpStatus(data), headers = {} } = options;
  const ids = { "x-request-id": String(data.meta.request_id) };
  return Response.json(body, { status, headers: { ...ids, ...toRetryHeader(data), ...headers } });
}

function toRetryHeader(envelope: Envelope): Record<string, string> {
  const seconds = envelope.success ? undefined : retryAfter(envelope);
  return seconds === undefined ? {} : { "retry-after": String(Math.ceil(seconds)) };
}

/** Describes a client's quota in the headers of draft-ietf-httpapi-ratelimit-headers. */
export function toRateLimitHeaders(quota: Outcome["quota"]): Record<string, string> {
  if (quota === undefined) return {};
  const { limit, periodSeconds, remaining, resetMs } = quota;
  const policy = toStructuredString(quota.policy);
  return {
    "ratelimit-policy": `${policy};q=${limit};w=${periodSeconds}`,
    ratelimit: `${policy};r=${remaining};t=${Math.ceil(resetMs / 1_000)}`,
  };
}

/** Formats a string of a structured field (RFC 9651), which may contain only ASCII. */
function toStructuredString(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, "_").replace(/["\\]/g, "\\$&")}"`;
}
