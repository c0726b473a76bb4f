import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Attributes, Context, Span } from "@opentelemetry/api";
import { type TelemetryApi, telemetryApi } from "./telemetry-api.ts";

/** True if a tracing SDK is registered. */
function isTraced({ trace, ProxyTracerProvider }: TelemetryApi): boolean {
  const provider = trace.getTracerProvider();
  // If no SDK is registered, the provider has the same delegate as every new provider.
  const noopProvider = new ProxyTracerProvider().getDelegate();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noopProvider;
}

/**
 * Starts a span `tools/call {tool}` as a child of the caller's trace, otherwise of the active span. Returns
 * undefined if neither the caller nor this server traces.
 */
export function startSpan(
  tool: string | undefined,
  attributes: Attributes,
  traceContext: UnknownRecord | undefined,
): CallSpan | undefined {
  const api = telemetryApi();
  if (api === undefined || (traceContext === undefined && !isTraced(api))) return undefined;
  return new CallSpan(api, tool, attributes, traceContext);
}

/** The span of one call. */
export class CallSpan {
  readonly #api: TelemetryApi;
  readonly #parent: Context;
  readonly #span: Span;

  constructor(
    api: TelemetryApi,
    tool: string | undefined,
    attributes: Attributes,
    traceContext: UnknownRecord | undefined,
  ) {
    const { context, SpanKind, trace } = api;
    this.#api = api;
    this.#parent = traceContext === undefined ? context.active() : parseTrace(api, traceContext);
    const name = tool === undefined ? "tools/call" : `tools/call ${tool}`;
    const tracer = trace.getTracer("@foundry-mcp/toolkit");
    this.#span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, this.#parent);
  }

  /** The id of the trace; undefined if neither the caller nor this server traces. */
  get traceId(): string | undefined {
    const { traceId } = this.#span.spanContext();
    return traceId === this.#api.INVALID_TRACEID ? undefined : traceId;
  }

  /** Runs work so that the spans it starts become children of this span. */
  run<T>(work: () => T): T {
    const { context, trace } = this.#api;
    return context.with(trace.setSpan(this.#parent, this.#span), work);
  }

  /** Adds attributes. */
  describe(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the call as failed with an error code. */
  fail(code: string, attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes, "foundry.error_code": code });
    this.#span.setStatus({ code: this.#api.SpanStatusCode.ERROR, message: code });
  }

  end(): void {
    this.#span.end();
  }
}

/**
 * Parses the trace context that the caller sent. Exceptions are caught, because the trace context is
 * untrusted and a third-party propagator may throw.
 */
function parseTrace(
  { propagation, ROOT_CONTEXT }: TelemetryApi,
  { traceparent, tracestate, baggage }: UnknownRecord,
): Context {
  const texts = Object.entries({ traceparent, tracestate, baggage }).filter(
    ([, value]) => typeof value === "string",
  );
  try {
    return propagation.extract(ROOT_CONTEXT, Object.fromEntries(texts));
  } catch {
    return ROOT_CONTEXT;
  }
}
