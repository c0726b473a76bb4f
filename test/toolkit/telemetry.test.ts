import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { context, metrics, propagation, SpanKind, SpanStatusCode, trace } from "@opentelemetry/api";
import { W3CTraceContextPropagator } from "@opentelemetry/core";
import {
  AggregationTemporality,
  InMemoryMetricExporter,
  MeterProvider,
  PeriodicExportingMetricReader,
} from "@opentelemetry/sdk-metrics";
import {
  BasicTracerProvider,
  InMemorySpanExporter,
  type ReadableSpan,
  SimpleSpanProcessor,
} from "@opentelemetry/sdk-trace-base";
import { pino } from "pino";
import { afterAll, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { plantedSecret } from "./failing-tools.ts";
import { createMatrixRegistry } from "./matrix-registry.ts";
import { connectSdk, type SdkClient, sdkNames } from "./sdk-clients.ts";

const spans = new InMemorySpanExporter();
const measured = new InMemoryMetricExporter(AggregationTemporality.DELTA);
const reader = new PeriodicExportingMetricReader({ exporter: measured, exportIntervalMillis: 3_600_000 });
const meters = new MeterProvider({ readers: [reader] });
const tracers = new BasicTracerProvider({ spanProcessors: [new SimpleSpanProcessor(spans)] });

/** The lines of the log, parsed. */
const lines: Record<string, unknown>[] = [];
const logger = pino(
  { base: null, timestamp: false, level: "debug" },
  { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) },
);

const registry = createMatrixRegistry({ logger });
const requestId = "observed-call";
const traceId = "0af7651916cd43dd8448eb211c80319c";
const parentId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${parentId}-01`;
let http: RunningHttpServer;

beforeAll(async () => {
  trace.setGlobalTracerProvider(tracers);
  metrics.setGlobalMeterProvider(meters);
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  http = await serveHttp(registry, { port: 0 });
});
afterAll(async () => {
  await http.close();
  await Promise.all([tracers.shutdown(), meters.shutdown()]);
  for (const api of [trace, metrics, propagation, context]) api.disable();
});
beforeEach(async () => {
  await reader.forceFlush();
  measured.reset();
  spans.reset();
  lines.length = 0;
});

/** Returns the only span of a call. A second span would count the call twice. */
function onlySpan(): ReadableSpan {
  const ended = spans.getFinishedSpans();
  expect(ended.map(({ name }) => name)).toHaveLength(1);
  return ended[0] as ReadableSpan;
}

/** Returns the measurements since the last call, with their count, total duration and attributes. */
async function readDurations() {
  await reader.forceFlush();
  return measured
    .getMetrics()
    .flatMap(({ scopeMetrics }) => scopeMetrics)
    .flatMap((scope) => scope.metrics)
    .filter(({ descriptor }) => descriptor.name === "mcp.server.operation.duration")
    .flatMap(({ descriptor, dataPoints }) =>
      dataPoints.map(({ attributes, value }) => ({
        unit: descriptor.unit,
        attributes,
        ...(value as { count: number; sum: number }),
      })),
    );
}

const common = { "mcp.method.name": "tools/call", "gen_ai.operation.name": "execute_tool" };

describe.each(sdkNames)("a call of %s", (sdk) => {
  let client: SdkClient;
  const protocol = sdk === "SDK 2 modern" ? "2026-07-28" : "2025-11-25";
  const name = sdk === "SDK 1" ? "matrix-sdk-1" : "matrix-sdk-2";
  beforeAll(async () => {
    client = await connectSdk(sdk, { url: `${http.url}/mcp` });
  });
  afterAll(() => client.close());

  const call = (tool: string, args: Record<string, unknown>) =>
    client.callTool({
      name: tool,
      arguments: args,
      _meta: { traceparent, "foundry-mcp/request_id": requestId },
    });

  it("is one child span of the caller's, one measurement and one log line", async () => {
    await call("repeat", { text: "hi" });
    const span = onlySpan();
    expect(span.name).toBe("tools/call echo");
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.status).toEqual({ code: SpanStatusCode.UNSET });
    expect(span.spanContext().traceId).toBe(traceId);
    expect(span.parentSpanContext).toMatchObject({ traceId, spanId: parentId, isRemote: true });
    expect(span.attributes).toEqual({
      ...common,
      "gen_ai.tool.name": "echo",
      "network.transport": "tcp",
      "jsonrpc.request.id": expect.any(String),
      "mcp.protocol.version": protocol,
      ...(sdk === "SDK 2 modern" ? {} : { "mcp.session.id": expect.any(String) }),
      "foundry.request_id": requestId,
    });
    const line = {
      level: 20,
      request_id: requestId,
      tool: "echo",
      surface: "http",
      client: name,
      success: true,
      duration_ms: expect.any(Number),
      trace_id: traceId,
      msg: "tools/call",
    };
    expect(lines).toEqual([line]);
    const [point, ...others] = await readDurations();
    expect(others).toEqual([]);
    expect(point).toMatchObject({
      unit: "s",
      count: 1,
      attributes: { ...common, "gen_ai.tool.name": "echo", "network.transport": "tcp" },
    });
    // The metric and the log line have the same duration in two units. The metric is in seconds, and the log line is
    // in milliseconds.
    expect(point?.sum).toBeCloseTo(Number(lines[0]?.["duration_ms"]) / 1_000, 9);
  });

  it("that fails is recorded as tool_error with its code, once", async () => {
    await call("throws", { action: "not_found" });
    const span = onlySpan();
    expect(span.name).toBe("tools/call throws");
    expect(span.status).toEqual({ code: SpanStatusCode.ERROR, message: "SPEC_NOT_FOUND" });
    expect(span.attributes).toMatchObject({
      "gen_ai.tool.name": "throws",
      "error.type": "tool_error",
      "foundry.error_code": "SPEC_NOT_FOUND",
    });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({
      level: 40,
      success: false,
      error_code: "SPEC_NOT_FOUND",
      tool: "throws",
    });
    const [point, ...others] = await readDurations();
    expect(others).toEqual([]);
    expect(point?.attributes).toEqual({
      ...common,
      "gen_ai.tool.name": "throws",
      "network.transport": "tcp",
      "error.type": "tool_error",
    });
  });

  it("that meets a bug logs the error and sends none of it", async () => {
    await call("throws", { action: "error" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ level: 50, error_code: "INTERNAL_ERROR", success: false });
    expect(lines[0]?.["err"]).toMatchObject({ type: "Error", stack: expect.any(String) });
    const { attributes, status, events } = onlySpan();
    expect(JSON.stringify([attributes, status, events])).not.toContain(plantedSecret);
  });

  it("of a tool that does not exist has a span without the made-up name", async () => {
    await expect(call("ehco", {})).rejects.toMatchObject({ code: -32_602 });
    const span = onlySpan();
    expect(span.name).toBe("tools/call");
    expect(span.attributes).not.toHaveProperty(["gen_ai.tool.name"]);
    expect(span.attributes).toMatchObject({ "error.type": "tool_error", "foundry.error_code": "NOT_FOUND" });
    expect(lines).toHaveLength(1);
    expect(lines[0]).toMatchObject({ request_id: requestId, success: false, error_code: "NOT_FOUND" });
  });

  it("with an invalid traceparent starts a new trace", async () => {
    await client.callTool({ name: "nothing", _meta: { traceparent: "nonsense" } });
    const span = onlySpan();
    expect(span.parentSpanContext).toBeUndefined();
    expect(span.spanContext().traceId).toMatch(/^[0-9a-f]{32}$/);
  });
});

describe("a call of /api", () => {
  const post = (tool: string, body: string, headers: Record<string, string> = {}) =>
    fetch(`${http.url}/api/tools/${tool}`, { method: "POST", body, headers });

  it("takes its parent from the header", async () => {
    await post("echo", '{"text":"hi"}', { traceparent, "x-request-id": requestId, "user-agent": "curl/8" });
    const span = onlySpan();
    expect(span.name).toBe("tools/call echo");
    expect(span.kind).toBe(SpanKind.SERVER);
    expect(span.parentSpanContext).toMatchObject({ traceId, spanId: parentId, isRemote: true });
    expect(span.attributes).toEqual({
      ...common,
      "gen_ai.tool.name": "echo",
      "network.transport": "tcp",
      "foundry.request_id": requestId,
    });
    expect(lines).toEqual([
      {
        level: 20,
        request_id: requestId,
        tool: "echo",
        surface: "api",
        client: "curl/8",
        success: true,
        duration_ms: expect.any(Number),
        trace_id: traceId,
        msg: "tools/call",
      },
    ]);
  });

  it("is counted once, also when it fails", async () => {
    await post("echo", "{}");
    await post("echo", '{"text":"hi"}');
    const points = await readDurations();
    expect(points.map(({ count, attributes }) => [count, attributes["error.type"]]).toSorted()).toEqual(
      [
        [1, undefined],
        [1, "tool_error"],
      ].toSorted(),
    );
    expect(lines.map(({ error_code: code }) => code)).toEqual(["MISSING_REQUIRED", undefined]);
  });
});

describe("a call in process", () => {
  it("has no transport attribute", async () => {
    await registry.call("echo", { text: "hi" }, { requestId });
    expect(onlySpan().attributes).toEqual({
      ...common,
      "gen_ai.tool.name": "echo",
      "foundry.request_id": requestId,
    });
    expect(lines).toHaveLength(1);
  });

  it("writes exactly one log line however it ends", async () => {
    for (const [tool, args] of [
      ["slow", { action: "hang" }],
      ["throws", { action: "hostile" }],
      ["returns", { action: "cyclic" }],
      ["broken", { action: "output" }],
      ["echo", { text: 7 }],
    ] as const) {
      lines.length = 0;
      const { success } = await registry.call(tool, args, { requestId });
      expect(success).toBe(false);
      expect(lines).toHaveLength(1);
      expect(lines[0]).toMatchObject({
        request_id: requestId,
        tool,
        success: false,
        duration_ms: expect.any(Number),
        error_code: expect.any(String),
      });
    }
    const signal = AbortSignal.abort();
    lines.length = 0;
    await registry.call("nothing", {}, { signal, requestId });
    expect(lines.map(({ error_code: code }) => code)).toEqual(["CANCELLED"]);
  });

  it("never fails because of its logger", async () => {
    const refuse = (): never => {
      throw new Error("the disk is full");
    };
    const broken = { debug: refuse, info: refuse, warn: refuse, error: refuse, child: refuse };
    const quiet = createMatrixRegistry({ logger: broken });
    expect((await quiet.call("echo", { text: "hi" })).success).toBe(true);
    expect((await quiet.call("throws", { action: "error" })).success).toBe(false);
  });

  it("never fails because of its tracer or meter", async () => {
    const refuse = (): never => {
      throw new Error("no such propagator");
    };
    propagation.disable();
    propagation.setGlobalPropagator({ inject: refuse, extract: refuse, fields: () => [] });
    try {
      const { envelope } = await registry.dispatch(
        { tool: "echo", args: { text: "hi" }, trace: { traceparent, baggage: 7 } },
        { surface: "in-process", client: { name: "test" } },
      );
      expect(envelope.data).toEqual({ text: "hi", times: 1 });
    } finally {
      propagation.disable();
      propagation.setGlobalPropagator(new W3CTraceContextPropagator());
    }
  });
});
