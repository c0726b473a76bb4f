import { isEnvelope, readEnvelope } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { z } from "zod";
import { createHttpApp } from "../http.ts";
import { type Context, createRegistry, defineTool } from "../index.ts";
import { toModernCall } from "./testing/modern-call.ts";

const confirmation = z.object({ ok: z.boolean() });
const ask = ({ elicit }: Context) => elicit({ message: "Really?", schema: confirmation });
const registry = createRegistry({
  name: "asking",
  version: "1.0.0",
  tools: [
    defineTool({
      name: "ask",
      version: "1.0.0",
      description: "Asks",
      run: (_input, context) => ask(context),
    }),
    defineTool({
      name: "ask_or_not",
      version: "1.0.0",
      description: "Asks where it can",
      run: (_input, context) =>
        ask(context).catch((thrown: { code?: unknown }) => {
          if (thrown.code !== "NOT_IMPLEMENTED") throw thrown;
          return { asked: false };
        }),
    }),
  ],
});
const app = createHttpApp(registry);

interface Answer {
  readonly status: number;
  readonly result?: Record<string, unknown>;
  readonly error?: {
    readonly code: number;
    readonly message: string;
    readonly data: Record<string, unknown>;
  };
}

/** Calls a tool as a client of protocol version 2026-07-28. */
async function call(name: string, capabilities: object, more: object = {}): Promise<Answer> {
  const response = await app.fetch(toModernCall(name, capabilities, more));
  return { status: response.status, ...((await response.json()) as object) };
}

describe("a client without elicitation", () => {
  it("gets a JSON-RPC error that names the missing capability and holds the envelope", async () => {
    const { status, error } = await call("ask", {});
    expect(status).toBe(400);
    expect(error).toMatchObject({
      code: -32_021,
      data: { success: false, requiredCapabilities: { elicitation: {} } },
    });
    expect(readEnvelope(error?.data)).toMatchObject({ data: { error_code: "NOT_IMPLEMENTED" } });
  });

  it("gets the answer of a handler that catches the failure", async () => {
    const { status, result } = await call("ask_or_not", {});
    expect(status).toBe(200);
    expect(result?.["structuredContent"]).toMatchObject({ success: true, data: { asked: false } });
  });
});

describe("requestState", () => {
  const offered = { elicitation: {} };
  const inputResponses = { question_1: { action: "accept", content: { ok: true } } };

  it("is accepted unchanged", async () => {
    const { result } = await call("ask", offered);
    expect(result).toMatchObject({ resultType: "input_required" });
    const again = await call("ask", offered, { inputResponses, requestState: result?.["requestState"] });
    expect(again.result?.["structuredContent"]).toMatchObject({ data: { action: "accept" } });
  });

  it("is refused with a JSON-RPC error when it was altered", async () => {
    const { result } = await call("ask", offered);
    const requestState = `${String(result?.["requestState"])}x`;
    const { error } = await call("ask", offered, { inputResponses, requestState });
    expect(error?.code).toBe(-32_602);
    expect(isEnvelope(error?.data)).toBe(true);
  });
});
