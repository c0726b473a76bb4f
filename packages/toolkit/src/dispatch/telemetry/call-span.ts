import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type Attributes,
  type Context,
  context,
  INVALID_TRACEID,
  ProxyTracerProvider,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";

const tracer = trace.getTracer("@foundry-mcp/toolkit");
/** The provider that the API returns while no SDK is registered. */
const noopProvider = new ProxyTracerProvider().getDelegate();

/** Whether a tracing SDK is registered. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== noopProvider;
}

/** Starts a span `tools/call {tool}` under the caller's trace, else under the active span; undefined where neither side traces. */
export function startSpan(
  tool: string | undefined,
  attributes: Attributes,
  traceContext: UnknownRecord | undefined,
): CallSpan | undefined {
  return traceContext === undefined && !isTraced() ? undefined : new CallSpan(tool, attributes, traceContext);
}

/** The span of one call. */
export class CallSpan {
  readonly #parent: Context;
  readonly #span: Span;

  constructor(tool: string | undefined, attributes: Attributes, traceContext: UnknownRecord | undefined) {
    this.#parent = traceContext === undefined ? context.active() : parseTrace(traceContext);
    const name = tool === undefined ? "tools/call" : `tools/call ${tool}`;
    this.#span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, this.#parent);
  }

  /** Undefined where neither the caller nor this server traces. */
  get traceId(): string | undefined {
    const { traceId } = this.#span.spanContext();
    return traceId === INVALID_TRACEID ? undefined : traceId;
  }

  /** Runs work so that spans which it starts become children of this one. */
  run<T>(work: () => T): T {
    return context.with(trace.setSpan(this.#parent, this.#span), work);
  }

  /** Adds attributes. */
  describe(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the call as failed with a code. */
  fail(code: string, attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes, "foundry.error_code": code });
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }

  end(): void {
    this.#span.end();
  }
}

/** The caller's trace context. It is untrusted, and a third-party propagator may throw on it. */
function parseTrace({ traceparent, tracestate, baggage }: UnknownRecord): Context {
  const texts = Object.entries({ traceparent, tracestate, baggage }).filter(
    ([, value]) => typeof value === "string",
  );
  try {
    return propagation.extract(ROOT_CONTEXT, Object.fromEntries(texts));
  } catch {
    return ROOT_CONTEXT;
  }
}
