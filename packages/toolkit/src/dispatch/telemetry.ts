import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import {
  type Attributes,
  type Context,
  context,
  type Histogram,
  type MeterProvider,
  metrics,
  propagation,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from "@opentelemetry/api";
import { InputRequired } from "../context/ask.ts";
import type { Call, Caller } from "../context/call.ts";
import { logFailure } from "../context/log-failure.ts";
import type { Logger } from "../context/logger.ts";

/** The watch over one call: what operators see of it. */
export interface Observation {
  /** Runs the work so that spans it starts belong to this call. */
  run<T>(work: () => T): T;
  /** Ends the span, counts the duration and writes the one line of this call. */
  end(envelope: Envelope, durationMs: number, thrown: unknown): void;
}

const scope = "@foundry-mcp/toolkit";
const tracer = trace.getTracer(scope);

/** Starts to watch a call; `tool` is its declared name, undefined for a tool that does not exist. */
export function observe(
  logger: Logger,
  call: Call,
  caller: Caller,
  names: { readonly requestId: string; readonly tool: string | undefined },
): Observation {
  const attributes = toAttributes(caller, names.tool);
  const parent = call.trace === undefined ? context.active() : readTrace(call.trace);
  const name = names.tool === undefined ? "tools/call" : `tools/call ${names.tool}`;
  const span = tracer.startSpan(
    name,
    {
      kind: SpanKind.SERVER,
      attributes: { ...attributes, ...caller.attributes, "foundry.request_id": names.requestId },
    },
    parent,
  );
  return {
    run: (work) => context.with(trace.setSpan(parent, span), work),
    end: quietly((envelope: Envelope, durationMs: number, thrown: unknown) => {
      const code = envelope.success ? undefined : String(envelope.data.error_code);
      if (code !== undefined) {
        // The conventions know one type for every failure that a tool reports itself.
        attributes["error.type"] = "tool_error";
        span.setAttributes({ "error.type": "tool_error", "foundry.error_code": code });
        span.setStatus({ code: SpanStatusCode.ERROR, message: code });
      }
      durations().record(durationMs / 1_000, attributes);
      span.end();
      const facts = toFacts(caller, names, envelope, durationMs, span, thrown);
      if (code === undefined) logger.info(facts, "tools/call");
      else logFailure(logger, "tools/call", { ...facts, error_code: code }, thrown);
    }),
  };
}

/** A log or an exporter that fails must not cost the caller its answer. */
function quietly<A extends readonly unknown[]>(work: (...args: A) => void): (...args: A) => void {
  return (...args) => {
    try {
      work(...args);
    } catch {
      // There is no one left to tell.
    }
  };
}

/** The caller's trace. What it sent is untrusted, and a propagator may be anyone's. */
function readTrace(sent: UnknownRecord): Context {
  const { traceparent, tracestate, baggage } = sent;
  const texts = Object.entries({ traceparent, tracestate, baggage }).filter(
    ([, value]) => typeof value === "string",
  );
  try {
    return propagation.extract(ROOT_CONTEXT, Object.fromEntries(texts));
  } catch {
    return ROOT_CONTEXT;
  }
}

function toAttributes({ surface }: Caller, tool: string | undefined): Attributes {
  return {
    "mcp.method.name": "tools/call",
    "gen_ai.operation.name": "execute_tool",
    ...(tool === undefined ? {} : { "gen_ai.tool.name": tool }),
    ...(surface === "in-process" ? {} : { "network.transport": surface === "stdio" ? "pipe" : "tcp" }),
  };
}

function toFacts(
  { surface, client }: Caller,
  { requestId, tool }: { readonly requestId: string; readonly tool: string | undefined },
  { success }: Envelope,
  duration: number,
  span: Span,
  thrown: unknown,
): { readonly request_id: string; readonly [fact: string]: unknown } {
  const { traceId } = span.spanContext();
  return {
    request_id: requestId,
    tool,
    surface,
    client: client.name,
    success,
    duration_ms: duration,
    ...(thrown instanceof InputRequired ? { input_required: true } : {}),
    ...(/^0*$/.test(traceId) ? {} : { trace_id: traceId }),
  };
}

let provider: MeterProvider | undefined;
let histogram: Histogram | undefined;

/** Asked for anew when a metrics SDK arrives: what the API gives before then stays deaf. */
function durations(): Histogram {
  const current = metrics.getMeterProvider();
  if (histogram === undefined || provider !== current) {
    provider = current;
    histogram = current.getMeter(scope).createHistogram("mcp.server.operation.duration", {
      unit: "s",
      description: "The duration of a tool call as the server saw it",
      advice: { explicitBucketBoundaries: [0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120, 300] },
    });
  }
  return histogram;
}
