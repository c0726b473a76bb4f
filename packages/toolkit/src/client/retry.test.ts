import { type Envelope, errorCatalogue, errorResponse, successResponse } from "@foundry-mcp/contract";
import type { Tool } from "@modelcontextprotocol/client";
import { describe, expect, it } from "vitest";
import { isIdempotentCall, type RetryPolicy, retry } from "./retry.ts";

const done = successResponse({ done: true });
const failure = (errorCode: string, data: object = {}, details: object = {}) =>
  errorResponse("x", { errorCode, data, details });

/** Retries a call that returns the given answers in turn; returns the number of calls and the delays. */
async function run(answers: readonly Envelope<object>[], policy: RetryPolicy = {}) {
  const pauses: number[] = [];
  const attempts: number[] = [];
  const sleep = async (milliseconds: number) => pauses.push(milliseconds);
  const envelope = await retry(
    async (attempt) => {
      attempts.push(attempt);
      return answers[Math.min(attempt, answers.length) - 1] ?? done;
    },
    { sleep, random: () => 1, ...policy },
  );
  return { envelope, attempts: attempts.length, pauses };
}

/**
 * Counts the calls for a failure with this code, with two attempts allowed: first for a call that is not
 * idempotent, then for an idempotent call.
 */
async function callsFor(code: string, details: object = {}): Promise<string> {
  const answers = [failure(code, {}, details)];
  const counts = [];
  for (const idempotent of [false, true])
    counts.push((await run(answers, { attempts: 2, idempotent })).attempts);
  return counts.join("/");
}

describe("retry", () => {
  it("decides for every code of the catalogue, also where the call may have run", async () => {
    const rows = [];
    for (const code of Object.keys(errorCatalogue))
      rows.push(`${code} ${await callsFor(code)} ${await callsFor(code, { may_have_run: true })}`);
    expect(rows.filter((row) => !row.endsWith(" 1/1 1/1"))).toEqual([
      "RATE_LIMIT_EXCEEDED 2/2 2/2",
      "INTERNAL_ERROR 1/2 1/2",
      "UNAVAILABLE 2/2 1/2",
      "RESOURCE_BUSY 2/2 1/2",
      "RESOURCE_EXHAUSTED 2/2 1/2",
      "DEPENDENCY_UNAVAILABLE 2/2 1/2",
      "TIMEOUT 1/2 1/2",
      "JOB_INTERRUPTED 1/2 1/2",
      "UPSTREAM_ERROR 2/2 1/2",
    ]);
    expect(rows).toHaveLength(Object.keys(errorCatalogue).length);
  });

  it("uses the error type of an unknown code, and a given catalogue", async () => {
    expect(await callsFor("STRANGE")).toBe("1/2");
    const typed = errorResponse("x", { errorCode: "OWN", errorType: "unavailable" });
    expect((await run([typed], { attempts: 2 })).attempts).toBe(2);
    const catalogue = { OWN: { ...errorCatalogue.UNAVAILABLE, retry: "no" as const } };
    expect((await run([typed], { attempts: 2, catalogue })).attempts).toBe(1);
  });

  it("does not retry a success", async () => {
    expect(await run([done])).toEqual({ envelope: done, attempts: 1, pauses: [] });
    expect(await run([failure("UNAVAILABLE"), done])).toEqual({ envelope: done, attempts: 2, pauses: [250] });
  });

  it("returns the last failure when the attempts are used up, three by default", async () => {
    const answers = [failure("UNAVAILABLE"), failure("UPSTREAM_ERROR"), failure("RESOURCE_BUSY")];
    expect(await run(answers)).toEqual({ envelope: answers[2], attempts: 3, pauses: [250, 500] });
  });

  it("doubles the longest delay with each attempt, up to the cap", async () => {
    const { pauses } = await run([failure("UNAVAILABLE")], {
      attempts: 6,
      baseDelayMs: 100,
      capDelayMs: 500,
    });
    expect(pauses).toEqual([100, 200, 400, 500, 500]);
    const halves = await run([failure("UNAVAILABLE")], { attempts: 3, baseDelayMs: 100, random: () => 0.5 });
    expect(halves.pauses).toEqual([50, 100]);
    const none = await run([failure("UNAVAILABLE")], { attempts: 2, random: () => 0 });
    expect(none.pauses).toEqual([0]);
  });

  it("waits as long as the server asks", async () => {
    const limited = failure("RATE_LIMIT_EXCEEDED", { retry_after_seconds: 7 });
    expect((await run([limited, done])).pauses).toEqual([7_000]);
    const until = errorResponse("x", {
      errorCode: "RATE_LIMIT_EXCEEDED",
      rateLimit: { limit: 1, remaining: 0, resetAt: "2026-01-01T00:00:05Z" },
    });
    const now = () => Date.parse("2026-01-01T00:00:00Z");
    expect((await run([until, done], { now })).pauses).toEqual([5_000]);
  });

  it("gives up at once on a Retry-After above the maximum", async () => {
    const limited = failure("RATE_LIMIT_EXCEEDED", { retry_after_seconds: 31 });
    expect(await run([limited, done])).toEqual({ envelope: limited, attempts: 1, pauses: [] });
    expect((await run([limited, done], { maxDelayMs: 31_000 })).attempts).toBe(2);
  });

  it("asks whether the call is idempotent only when it matters", async () => {
    let asked = 0;
    const idempotent = async () => {
      asked += 1;
      return true;
    };
    await run([failure("UNAVAILABLE"), failure("NOT_FOUND")], { idempotent });
    expect(asked).toBe(0);
    expect((await run([failure("TIMEOUT"), done], { idempotent })).attempts).toBe(2);
    expect(asked).toBe(1);
  });

  it("gives up where the further condition is false", async () => {
    expect((await run([failure("UNAVAILABLE")], { when: () => false })).attempts).toBe(1);
  });

  it("stops waiting when the signal aborts, and returns the last answer", async () => {
    const controller = new AbortController();
    const waiting = retry(async () => failure("UNAVAILABLE", { retry_after_seconds: 20 }), {
      signal: controller.signal,
    });
    controller.abort();
    expect(await waiting).toEqual(failure("UNAVAILABLE", { retry_after_seconds: 20 }));
  });

  it("rethrows what the call throws", async () => {
    const call = async () => {
      throw new Error("bug");
    };
    await expect(retry(call)).rejects.toThrow("bug");
  });
});

const toTool = (actions: unknown, annotations: Tool["annotations"] = {}): Tool => ({
  name: "notes",
  inputSchema: { type: "object" },
  annotations,
  _meta: { "foundry-mcp/actions": actions },
});

describe("isIdempotentCall", () => {
  const lists = toTool({ readOnly: ["get"], idempotent: ["put"], destructive: ["drop"] });
  const entries = toTool({ get: { readOnly: true }, put: { idempotent: true }, drop: { destructive: true } });

  it.each([
    ["lists the actions of a hint", lists],
    ["has an entry for each action", entries],
  ])("is true where the tool %s", (_form, tool) => {
    const told = ["get", "put", "drop", "unknown", "toString", "readOnly"].map((action) =>
      isIdempotentCall(tool, { action }),
    );
    expect(told).toEqual([true, true, false, false, false, false]);
  });

  it("prefers the hint of the action to that of the tool", () => {
    const annotations = { readOnlyHint: true, idempotentHint: true };
    expect(
      isIdempotentCall(toTool({ readOnly: ["get"], idempotent: [] }, annotations), { action: "put" }),
    ).toBe(false);
    expect(isIdempotentCall(toTool({ put: {} }, annotations), { action: "put" })).toBe(false);
  });

  it("uses the hint of the tool where the action has none", () => {
    const annotations = { idempotentHint: true };
    for (const told of [
      undefined,
      null,
      [],
      "all",
      {},
      { get: true },
      { readOnly: ["get"] },
      { readOnly: {} },
    ]) {
      expect(isIdempotentCall(toTool(told, annotations), { action: "put" })).toBe(true);
      expect(isIdempotentCall(toTool(told), { action: "put" })).toBe(false);
    }
    expect(isIdempotentCall(toTool({ readOnly: ["get"] }, { readOnlyHint: true }), undefined)).toBe(true);
    expect(isIdempotentCall(undefined, { action: "put" })).toBe(false);
  });

  it("reads an action that has the name of a hint", () => {
    expect(isIdempotentCall(toTool({ readOnly: { idempotent: true } }), { action: "readOnly" })).toBe(true);
    expect(isIdempotentCall(toTool({ readOnly: ["readOnly"] }), { action: "readOnly" })).toBe(true);
  });
});
