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

/** The error catalogue that gives the status, and headers to add. */
export interface ResponseOptions {
  readonly errors?: ErrorCatalogue | undefined;
  readonly headers?: HeaderValues | undefined;
}

/** Sends an envelope as an HTTP response with the status of its error code, its request id, quota and Retry-After. */
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
  succeed(data: object, request: Request): Response;
  fail(thrown: unknown, request: Request, headers?: HeaderValues): Response;
}

/** Creates the responder of a server; it answers in the contract that the request asks for. */
export function createResponder({ options }: Registry): Responder {
  const defaults = toDialectContext(options);
  const respond = (envelope: Envelope, request: Request, headers: HeaderValues = {}) => {
    const requested = requestedContract(request);
    const granted = requested === undefined ? undefined : parseContractName(requested, options).dialect;
    const dialect = granted ?? options.dialect;
    // Counted like any other use of response-v1, but without the log line, which is meant for clients.
    if (dialect === "response-v1") countV1();
    return toEnvelopeResponse(toDialect(envelope, { ...defaults, dialect }), {
      errors: options.errors,
      headers,
    });
  };
  return {
    succeed: (data, request) => respond(successResponse(data, metaOf(request)) as Envelope, request),
    fail: (thrown, request, headers) => respond(fromUnknown(thrown, metaOf(request)), request, headers),
  };
}

/** No tool ran, so the duration is 0. */
function metaOf(request: Request) {
  const ids = resolveRequestId(request.headers.get("x-request-id") ?? undefined);
  return { requestId: ids.requestId, telemetry: { durationMs: 0 }, meta: toClientIdMeta(ids) };
}

/** Returns the response contract that a request's header asks for; undefined where it has none. */
export function requestedContract({ headers }: Request): string | undefined {
  return headers.get("foundry-response-contract") ?? undefined;
}

/** The HTTP status of a refusal where it does not follow from its error code, its JSON-RPC code and id. */
export interface RpcResponseOptions extends Pick<RpcErrorOptions, "rpcCode" | "id"> {
  readonly status?: number;
  readonly headers?: HeaderValues;
}

/** Refuses a request to `/mcp` before any tool is called: a JSON-RPC error whose data is an envelope. */
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

/** Writes a string of a structured field (RFC 9651), which holds ASCII only. */
function toStructuredString(value: string): string {
  return `"${value.replace(/[^\x20-\x7e]/g, "_").replace(/["\\]/g, "\\$&")}"`;
}
