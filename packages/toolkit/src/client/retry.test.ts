import { type Envelope, errorCatalogue, errorResponse, successResponse } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import { type RetryPolicy, retry } from "./retry.ts";

const done = successResponse({ done: true });
const failure = (errorCode: string, data: object = {}, details: object = {}) =>
  errorResponse("x", { errorCode, data, details });

/** Calls until the answers are used up; tells how often, and how long it would have waited. */
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

/** How often each code is called in all, with two attempts allowed: not idempotent, then idempotent. */
async function callsFor(code: string, details: object = {}): Promise<string> {
  const answers = [failure(code, {}, details)];
  const counts = [];
  for (const idempotent of [false, true])
    counts.push((await run(answers, { attempts: 2, idempotent })).attempts);
  return counts.join("/");
}

describe("retry", () => {
  it("decides for every code of the catalogue, and for each where the call may have run", async () => {
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
      "UPSTREAM_ERROR 2/2 1/2",
    ]);
    expect(rows).toHaveLength(Object.keys(errorCatalogue).length);
  });

  it("goes by the type of a code it does not know, and by a catalogue it is given", async () => {
    expect(await callsFor("STRANGE")).toBe("1/2");
    const typed = errorResponse("x", { errorCode: "OWN", errorType: "unavailable" });
    expect((await run([typed], { attempts: 2 })).attempts).toBe(2);
    const catalogue = { OWN: { ...errorCatalogue.UNAVAILABLE, retry: "no" as const } };
    expect((await run([typed], { attempts: 2, catalogue })).attempts).toBe(1);
  });

  it("does not repeat a success, and returns the first one", async () => {
    expect(await run([done])).toEqual({ envelope: done, attempts: 1, pauses: [] });
    expect(await run([failure("UNAVAILABLE"), done])).toEqual({ envelope: done, attempts: 2, pauses: [250] });
  });

  it("returns the last failure when the attempts are used up, three by default", async () => {
    const answers = [failure("UNAVAILABLE"), failure("UPSTREAM_ERROR"), failure("RESOURCE_BUSY")];
    expect(await run(answers)).toEqual({ envelope: answers[2], attempts: 3, pauses: [250, 500] });
  });

  it("backs off by up to twice as much each time, never beyond the cap", async () => {
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

  it("gives up at once on a server that asks for more than it may", async () => {
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

  it("gives up where the further condition says so", async () => {
    expect((await run([failure("UNAVAILABLE")], { when: () => false })).attempts).toBe(1);
  });

  it("ends its waiting when the signal fires, with the answer it has", async () => {
    const controller = new AbortController();
    const waiting = retry(async () => failure("UNAVAILABLE", { retry_after_seconds: 20 }), {
      signal: controller.signal,
    });
    controller.abort();
    expect(await waiting).toEqual(failure("UNAVAILABLE", { retry_after_seconds: 20 }));
  });

  it("passes on what the call throws", async () => {
    const call = async () => {
      throw new Error("bug");
    };
    await expect(retry(call)).rejects.toThrow("bug");
  });
});
