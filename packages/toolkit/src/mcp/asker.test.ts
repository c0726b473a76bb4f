import type { UnknownRecord } from "@foundry-mcp/contract";
import { afterAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { defineTool } from "../define/tool.ts";
import { createHttpApp } from "../http/http-app.ts";
import { createRegistry } from "../registry/registry.ts";
import { toModernCall } from "./testing/modern-call.ts";

const text = z.object({ value: z.string() });
const runs: string[] = [];
const registry = createRegistry({
  name: "asks",
  version: "1.0.0",
  tools: [
    defineTool({
      name: "two_rounds",
      version: "1.0.0",
      description: "Asks, then asks again",
      run: async (_input, context) => {
        runs.push("start");
        const first = await context.elicit({ message: "first?", schema: text });
        const second = await context.elicit({ message: "second?", schema: text });
        return { first, second };
      },
    }),
    defineTool({
      name: "at_once",
      version: "1.0.0",
      description: "Asks the person and the model at the same time",
      run: async (_input, context) => {
        const [person, model] = await Promise.all([
          context.elicit({ message: "who?", schema: text }),
          context.sample({ messages: [], maxTokens: 5 }),
        ]);
        return { person, model };
      },
    }),
    defineTool({
      name: "swallows",
      version: "1.0.0",
      description: "Catches what it should not",
      run: async (_input, context) => {
        await context.elicit({ message: "who?", schema: text }).catch(() => {});
        return { swallowed: true };
      },
    }),
  ],
});
const app = createHttpApp(registry);
afterAll(() => app.close());

/** Sends one HTTP request as a client of protocol version 2026-07-28. */
async function post(name: string, more: object = {}): Promise<UnknownRecord> {
  const response = await app.fetch(toModernCall(name, { elicitation: { form: {} }, sampling: {} }, more));
  const { result, error } = (await response.json()) as { result?: UnknownRecord; error?: UnknownRecord };
  return (result ?? error) as UnknownRecord;
}

const accept = (value: string) => ({ action: "accept", content: { value } });

describe("a question without a connection", () => {
  it("is returned with the answer, and the handler runs again until all answers are known", async () => {
    runs.length = 0;
    const first = await post("two_rounds");
    expect(first).toMatchObject({
      resultType: "input_required",
      inputRequests: {
        question_1: {
          method: "elicitation/create",
          params: { mode: "form", message: "first?", requestedSchema: { type: "object" } },
        },
      },
      requestState: expect.any(String),
    });
    const second = await post("two_rounds", {
      inputResponses: { question_1: accept("a") },
      requestState: first["requestState"],
    });
    expect(Object.keys(second["inputRequests"] as object)).toEqual(["question_2"]);
    const third = await post("two_rounds", {
      inputResponses: { question_2: accept("b") },
      requestState: second["requestState"],
    });
    expect(third["structuredContent"]).toMatchObject({
      success: true,
      data: { first: accept("a"), second: accept("b") },
    });
    expect(runs).toEqual(["start", "start", "start"]);
  });

  it("is sent together with concurrent ones", async () => {
    const asked = await post("at_once");
    expect(Object.entries(asked["inputRequests"] as Record<string, { method: string }>)).toMatchObject([
      ["question_1", { method: "elicitation/create" }],
      ["question_2", { method: "sampling/createMessage" }],
    ]);
    const model = { role: "assistant", content: { type: "text", text: "hi" }, model: "m" };
    const done = await post("at_once", {
      inputResponses: { question_1: accept("me"), question_2: model },
      requestState: asked["requestState"],
    });
    expect(done["structuredContent"]).toMatchObject({ success: true, data: { person: accept("me"), model } });
  });

  it("is sent even where the handler swallows the exception that asks it", async () => {
    expect((await post("swallows"))["resultType"]).toBe("input_required");
  });

  it("is refused with a remedy where requestState was altered", async () => {
    const { requestState } = await post("two_rounds");
    for (const state of [`${String(requestState).slice(0, -3)}abc`, "v1.nonsense", "x"]) {
      const result = await post("two_rounds", {
        inputResponses: { question_1: accept("a") },
        requestState: state,
      });
      expect(result).toMatchObject({
        code: -32_602,
        data: {
          success: false,
          data: { error_code: "VALIDATION_ERROR", details: { field: "requestState", constraint: "usable" } },
        },
      });
    }
  });

  it("accepts only answers that fit the form", async () => {
    const { requestState } = await post("two_rounds");
    const result = await post("two_rounds", {
      inputResponses: { question_1: { action: "accept", content: { value: 7 } } },
      requestState,
    });
    expect(result["structuredContent"]).toMatchObject({
      data: { error_code: "INVALID_FORMAT", details: { field: "value", constraint: "type" } },
    });
  });
});
