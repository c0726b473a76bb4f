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
/** What the API hands out while no SDK is installed. */
const nobody = new ProxyTracerProvider().getDelegate();

/** Whether anyone is there to see a span. */
function isTraced(): boolean {
  const provider = trace.getTracerProvider();
  return !(provider instanceof ProxyTracerProvider) || provider.getDelegate() !== nobody;
}

/** Starts a span `tools/call {tool}` under the caller's trace, or under what is active here; none where no one traces. */
export function startSpan(
  tool: string | undefined,
  attributes: Attributes,
  sent: UnknownRecord | undefined,
): CallSpan | undefined {
  return sent === undefined && !isTraced() ? undefined : new CallSpan(tool, attributes, sent);
}

/** The span of one call. */
export class CallSpan {
  readonly #parent: Context;
  readonly #span: Span;

  constructor(tool: string | undefined, attributes: Attributes, sent: UnknownRecord | undefined) {
    this.#parent = sent === undefined ? context.active() : readTrace(sent);
    const name = tool === undefined ? "tools/call" : `tools/call ${tool}`;
    this.#span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, this.#parent);
  }

  /** Undefined where neither the caller nor this server traces. */
  get traceId(): string | undefined {
    const { traceId } = this.#span.spanContext();
    return traceId === INVALID_TRACEID ? undefined : traceId;
  }

  /** Runs the work so that spans it starts belong to this one. */
  run<T>(work: () => T): T {
    return context.with(trace.setSpan(this.#parent, this.#span), work);
  }

  /** Says more of the call. */
  describe(attributes: Attributes): void {
    this.#span.setAttributes(attributes);
  }

  /** Marks the call as failed with a code. */
  fail(code: string, attributes: Attributes): void {
    this.#span.setAttributes({ ...attributes, "foundry.error_code": code });
    this.#span.setStatus({ code: SpanStatusCode.ERROR, message: code });
  }

  /** Ends the span. */
  end(): void {
    this.#span.end();
  }
}

/** The caller's trace. What it sent is untrusted, and a propagator may be anyone's. */
function readTrace({ traceparent, tracestate, baggage }: UnknownRecord): Context {
  const texts = Object.entries({ traceparent, tracestate, baggage }).filter(
    ([, value]) => typeof value === "string",
  );
  try {
    return propagation.extract(ROOT_CONTEXT, Object.fromEntries(texts));
  } catch {
    return ROOT_CONTEXT;
  }
}
