import { errorResponse, successResponse, type UnknownRecord } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { checkServer } from "./check-server.ts";
import type { CheckReport } from "./findings/check-report.ts";
import type { CheckTarget } from "./observe/session.ts";

interface SlowTool {
  readonly inputSchema?: UnknownRecord;
  readonly _meta?: UnknownRecord;
  /** Returns the duration of a call in milliseconds. */
  takesMs(args: UnknownRecord): number;
  /** The interval at which a call sends progress, in milliseconds. */
  readonly progressMs?: number;
}

type Transport = Extract<ReturnType<CheckTarget["open"]>, { transport: unknown }>["transport"];
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: UnknownRecord;
}

const noArguments = { type: "object", properties: {}, additionalProperties: false };

/** Creates a server in this process whose only tool, `slow`, takes a given time. */
function serve(tool: SlowTool): { readonly target: CheckTarget; readonly seen: UnknownRecord[] } {
  const seen: UnknownRecord[] = [];
  const { inputSchema = noArguments, _meta, takesMs, progressMs } = tool;
  const definition = { name: "slow", description: "Slow", annotations: { readOnlyHint: true }, inputSchema };
  const listed = { tools: [_meta === undefined ? definition : { ...definition, _meta }] };
  const known = Object.keys((inputSchema["properties"] ?? {}) as UnknownRecord);
  const open = () => {
    const reply = (message: object) => transport.onmessage?.({ jsonrpc: "2.0", ...message } as never);
    const call = (id: number | undefined, params: UnknownRecord) => {
      if (params["name"] !== "slow") return reply({ id, error: { code: -32602, message: "Unknown" } });
      const meta = params["_meta"] as UnknownRecord;
      const requestId = meta["foundry-mcp/request_id"] as string;
      const args = params["arguments"] as UnknownRecord;
      seen.push(args);
      const isGood = (name: string) => known.includes(name) && Number(args[name] ?? -1) >= 0;
      const wrong = Object.keys(args).find((name) => !isGood(name));
      const envelope =
        wrong === undefined
          ? successResponse({}, { requestId })
          : errorResponse(`Bad parameter: ${wrong}`, { errorCode: "VALIDATION_ERROR", requestId });
      const result = {
        content: [{ type: "text", text: JSON.stringify(envelope) }],
        structuredContent: envelope,
        isError: !envelope.success,
      };
      const { progressToken } = meta;
      const progress = setInterval(
        () => reply({ method: "notifications/progress", params: { progressToken, progress: 1 } }),
        progressMs ?? 1e9,
      );
      setTimeout(
        () => {
          clearInterval(progress);
          reply({ id, result });
        },
        wrong === undefined ? takesMs(args) : 0,
      );
    };
    const transport: Transport = {
      start: async () => {},
      close: async () => transport.onclose?.(),
      async send(message) {
        const { id, method, params = {} } = message as Message;
        const serverInfo = { name: "slow", version: "1" };
        if (method === "initialize")
          reply({ id, result: { protocolVersion: "2025-06-18", capabilities: { tools: {} }, serverInfo } });
        else if (method === "tools/list") reply({ id, result: listed });
        else if (method === "tools/call") call(id, params);
      },
    };
    return { transport };
  };
  return { target: { label: "slow", open }, seen };
}

beforeEach(() => {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "setInterval", "clearInterval"] });
});
afterEach(() => {
  vi.useRealTimers();
});

async function check(target: CheckTarget): Promise<CheckReport> {
  let isDone = false;
  const report = checkServer(target, { protocol: "legacy" }).finally(() => {
    isDone = true;
  });
  while (!isDone) await vi.advanceTimersByTimeAsync(250);
  return report;
}

const about = ({ rules, findings, unchecked }: CheckReport) => ({
  status: rules.find(({ rule }) => rule === "MCP-17")?.status,
  messages: findings.filter(({ rule }) => rule === "MCP-17").map(({ message }) => message),
  unchecked: unchecked.filter(({ what }) => what.startsWith("MCP-17")),
});
const kept = { status: "passed", messages: [], unchecked: [] };

describe("a call that takes 8 seconds", () => {
  const takesMs = () => 8_000;

  it("is answered too late if nothing comes in between", async () => {
    expect(about(await check(serve({ takesMs }).target))).toEqual({
      status: "failed",
      messages: ["No answer came within 5 seconds"],
      unchecked: [],
    });
  });

  it("is answered in time if it sends progress", async () => {
    expect(about(await check(serve({ takesMs, progressMs: 1_000 }).target))).toEqual(kept);
  });

  it("is answered in time if its definition says that it may take as long", async () => {
    const _meta = { "foundry-mcp/timeout_ms": 10_000 };
    expect(about(await check(serve({ takesMs, _meta }).target))).toEqual(kept);
  });
});

it("does not call a tool lost that sends progress for longer than half of the check", async () => {
  const { target } = serve({ takesMs: () => 600_000, progressMs: 1_000 });
  const { unchecked, status, messages } = about(await check(target));
  const reason = "The call was still running after 30 seconds, half of the time of the check";
  expect({ status, messages, unchecked }).toEqual({
    status: "passed",
    messages: [],
    unchecked: [{ what: "MCP-17 of slow", reason }],
  });
});

describe("a tool that waits", () => {
  const inputSchema = {
    type: "object",
    properties: { timeout_seconds: { type: "number", minimum: 0, maximum: 3_600 } },
    additionalProperties: false,
  };
  const takesMs = ({ timeout_seconds: seconds }: UnknownRecord) =>
    (typeof seconds === "number" ? seconds : 50) * 1_000;

  it("is called with its shortest wait, never with none", async () => {
    const { target, seen } = serve({ inputSchema, takesMs });
    expect(about(await check(target))).toEqual(kept);
    expect(seen[0]).toEqual({ timeout_seconds: 0 });
    expect(seen.filter(({ timeout_seconds: seconds }) => seconds === undefined || seconds === null)).toEqual(
      [],
    );
  });
});
