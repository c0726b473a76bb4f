import {
  ContractError,
  checkEnvelope,
  conflict,
  type Envelope,
  notFound,
  successResponse,
} from "@foundry-mcp/contract";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import type { Context } from "../context/context.ts";
import { defineTool } from "../define/tool.ts";
import { type CallOptions, createRegistry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";

type Run = (input: unknown, context: Context) => unknown;

/** Calls a plain tool with this handler. */
function call(
  run: Run,
  options: CallOptions & { readonly registry?: Partial<RegistryOptions>; readonly timeoutMs?: number } = {},
): Promise<Envelope> {
  const { registry, ...rest } = options;
  const tool = defineTool({ name: "it", version: "1.0.0", description: "It", run: run as never });
  return createRegistry({ name: "test", version: "1.0.0", tools: [tool], ...registry }).call("it", {}, rest);
}

const codeOf = (envelope: Envelope) => (envelope.success ? "success" : envelope.data.error_code);
/** Returns the envelope without the values that differ from call to call. */
const steady = ({ meta, ...rest }: Envelope) => ({
  ...rest,
  meta: { ...meta, request_id: "", telemetry: {} },
});

afterEach(() => vi.useRealTimers());

describe("the notes of a call", () => {
  it("are the object that the code around the dispatch passed", async () => {
    const found: unknown[] = [];
    const run = (_: unknown, { notes }: Context) => {
      found.push(notes);
      return {};
    };
    const tool = defineTool({ name: "it", version: "1.0.0", description: "It", run });
    const registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
    const caller = { surface: "in-process", client: { name: "test" } } as const;
    const notes = {};
    await registry.dispatch({ tool: "it", args: {}, notes }, caller);
    await registry.dispatch({ tool: "it", args: {} }, caller);
    expect(found).toEqual([notes, undefined]);
    expect(found[0]).toBe(notes);
  });
});

describe("a handler that returns", () => {
  it("a payload gives a success with request id and duration", async () => {
    const envelope = await call(() => ({ a: 1 }), { requestId: "mine" });
    expect(envelope).toEqual({
      success: true,
      data: { a: 1 },
      error: null,
      meta: { version: "response-v2", request_id: "mine", telemetry: { duration_ms: expect.any(Number) } },
    });
  });

  it.each([undefined, null, {}])("nothing (%s) gives an empty success", async (nothing) => {
    expect((await call(() => nothing)).data).toEqual({});
  });

  it.each<[string, unknown, RegExp]>([
    ["an array", [1], /returned an array instead of an object/],
    ["a text", "x", /returned a string instead/],
    ["a number", 0, /returned a number instead/],
    ["false", false, /returned a boolean instead/],
    ["a function", () => 1, /returned a function instead/],
    ["a bigint inside", { n: 1n }, /\$\.data\.n holds/],
    ["NaN inside", { n: Number.NaN }, /\$\.data\.n holds/],
    ["a map inside", { m: new Map() }, /\$\.data\.m holds/],
  ])("%s gives INTERNAL_ERROR that names the fault", async (_name, payload, message) => {
    const envelope = await call(() => payload);
    expect(codeOf(envelope)).toBe("INTERNAL_ERROR");
    expect(envelope.error).toMatch(message);
    expect(checkEnvelope(envelope, { deep: true })).toEqual([]);
    expect(envelope.meta.request_id).toMatch(/^req_[0-9a-f]{12}$/);
  });

  it("a cycle gives INTERNAL_ERROR", async () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    expect(codeOf(await call(() => cycle))).toBe("INTERNAL_ERROR");
  });

  it("a thenable whose then throws gives a failure", async () => {
    const hostile = {
      // biome-ignore lint/suspicious/noThenProperty: that is the point
      get then() {
        throw new Error("gotcha");
      },
    };
    expect(codeOf(await call(() => hostile))).toBe("INTERNAL_ERROR");
  });
});

describe("a handler that throws", () => {
  it("a ContractError gives its envelope", async () => {
    const envelope = await call(() => {
      throw notFound("spec", "x");
    });
    expect(steady(envelope)).toEqual({
      success: false,
      data: {
        error_code: "SPEC_NOT_FOUND",
        error_type: "not_found",
        remediation: expect.any(String),
        remedy: { tool: "spec", action: "list" },
        details: { resource_type: "spec", resource_id: "x" },
      },
      error: "Spec not found: x",
      meta: { version: "response-v2", request_id: "", telemetry: {} },
    });
  });

  it.each<[string, unknown]>([
    ["an Error", new Error("password=hunter2 at /home/me/secret.ts")],
    ["a text", "password=hunter2"],
    ["undefined", undefined],
    ["null", null],
    ["an object", { toString: () => "password=hunter2" }],
    ["a symbol", Symbol("hunter2")],
  ])("%s gives INTERNAL_ERROR and leaks nothing", async (_name, thrown) => {
    for (const run of [
      () => {
        throw thrown;
      },
      () => Promise.reject(thrown),
    ]) {
      const envelope = await call(run);
      expect(codeOf(envelope)).toBe("INTERNAL_ERROR");
      expect(JSON.stringify(envelope)).not.toMatch(/hunter2|secret\.ts/);
    }
  });

  it("after warnings keeps them, and its own", async () => {
    const envelope = await call((_input, context) => {
      context.warn("half done");
      context.warn("STALE_CACHE", "old", { age: 3 });
      throw conflict("no", { warnings: "own" });
    });
    expect(envelope.meta.warnings).toEqual(["own", "half done", "old"]);
    expect(envelope.meta.warning_details).toEqual([
      { code: "STALE_CACHE", severity: "warning", message: "old", context: { age: 3 } },
    ]);
  });
});

describe("the deadline", () => {
  it("ends the call of a handler that hangs, and fires its signal", async () => {
    let signal: AbortSignal | undefined;
    const envelope = await call(
      (_input, context) => {
        signal = context.signal;
        return new Promise(() => {});
      },
      { timeoutMs: 20 },
    );
    expect(codeOf(envelope)).toBe("TIMEOUT");
    expect(envelope.data).toMatchObject({ details: { deadline_ms: 20 } });
    expect(signal?.aborted).toBe(true);
  });

  it("ends the call with the message that the handler set by ifEnded", async () => {
    const told = { message: "It goes on", remediation: "Ask later.", details: { job: "j1" } };
    const hang = (_input: unknown, context: Context) => {
      context.ifEnded({ message: "First", remediation: "Never told." });
      context.ifEnded(told);
      return new Promise(() => {});
    };
    const late = await call(hang, { timeoutMs: 20 });
    expect([late.error, late.data]).toEqual([
      "It goes on",
      {
        error_code: "TIMEOUT",
        error_type: "unavailable",
        remediation: "Ask later.",
        details: { deadline_ms: 20, job: "j1" },
      },
    ]);
    const caller = new AbortController();
    const given = call(hang, { signal: caller.signal });
    setImmediate(() => caller.abort());
    expect(codeOf(await given)).toBe("CANCELLED");
    expect((await given).data).toMatchObject({ remediation: "Ask later.", details: { job: "j1" } });
    const done = await call((_input, context) => {
      context.ifEnded(told);
      return { ok: true };
    });
    expect(done.data).toEqual({ ok: true });
  });

  it("ignores a result or an error of the handler after the deadline", async () => {
    const unhandled = vi.fn();
    process.on("unhandledRejection", unhandled);
    let reject: (reason: unknown) => void = () => {};
    const envelope = await call(
      () =>
        new Promise((_resolve, fail) => {
          reject = fail;
        }),
      { timeoutMs: 10 },
    );
    expect(codeOf(envelope)).toBe("TIMEOUT");
    reject(new Error("too late"));
    await new Promise((resolve) => setImmediate(resolve));
    process.off("unhandledRejection", unhandled);
    expect(unhandled).not.toHaveBeenCalled();
  });

  it("fails a handler that blocked the thread past its deadline", async () => {
    const envelope = await call(
      () => {
        const until = performance.now() + 15;
        while (performance.now() < until);
        return {};
      },
      { timeoutMs: 5 },
    );
    expect(codeOf(envelope)).toBe("TIMEOUT");
  });

  it("takes the shorter of the action's deadline and the caller's", async () => {
    const hang = defineTool({
      name: "hang",
      version: "1.0.0",
      description: "Hangs",
      timeoutMs: 30,
      run: () => new Promise<object>(() => {}),
    });
    const registry = createRegistry({ name: "t", version: "1.0.0", tools: [hang] });
    const [own, callers] = await Promise.all([
      registry.call("hang", {}, { timeoutMs: 10_000 }),
      registry.call("hang", {}, { timeoutMs: 10 }),
    ]);
    expect([own.data, callers.data]).toMatchObject([
      { details: { deadline_ms: 30 } },
      { details: { deadline_ms: 10 } },
    ]);
  });

  it("ends a call that the caller cancels, before and during the work", async () => {
    const early = new AbortController();
    early.abort();
    let ran = false;
    const run = () => {
      ran = true;
      return new Promise(() => {});
    };
    expect(codeOf(await call(run, { signal: early.signal }))).toBe("CANCELLED");
    expect(ran).toBe(false);

    const controller = new AbortController();
    let reason: unknown;
    const envelope = await call(
      (_input, { signal }) => {
        signal.addEventListener("abort", () => {
          reason = signal.reason;
        });
        queueMicrotask(() => controller.abort());
        return new Promise(() => {});
      },
      { signal: controller.signal },
    );
    expect(codeOf(envelope)).toBe("CANCELLED");
    expect(reason).toBeInstanceOf(ContractError);
  });
});

describe("the output", () => {
  const broken = defineTool({
    name: "broken",
    version: "1.0.0",
    description: "Breaks its promise",
    output: z.object({ rows: z.array(z.object({ id: z.string() })) }),
    run: (() => ({ rows: [{ id: "a" }, { id: 2, secret: "s3cret" }] })) as never,
  });

  it("is validated where validateOutput is on", async () => {
    const registry = createRegistry({ name: "t", version: "1", tools: [broken], validateOutput: true });
    const envelope = await registry.call("broken");
    expect(codeOf(envelope)).toBe("INTERNAL_ERROR");
    expect(envelope.data).toMatchObject({
      details: { errors: [{ field: "rows[1].id", constraint: "type" }] },
    });
    expect(JSON.stringify(envelope)).not.toContain("s3cret");
  });

  it("is sent unchecked where validateOutput is off", async () => {
    const registry = createRegistry({ name: "t", version: "1", tools: [broken], validateOutput: false });
    expect((await registry.call("broken")).success).toBe(true);
  });
});

describe("concurrency slots", () => {
  it("limit running and waiting calls, and refuse more with RESOURCE_BUSY", async () => {
    const release: (() => void)[] = [];
    const tool = defineTool({
      name: "wait",
      version: "1.0.0",
      description: "Waits",
      run: () => new Promise<object>((resolve) => release.push(() => resolve({}))),
    });
    const registry = createRegistry({
      name: "t",
      version: "1",
      tools: [tool],
      concurrency: { running: 2, waiting: 1 },
    });
    const calls = [1, 2, 3, 4].map(() => registry.call("wait"));
    const refused = await calls[3]!;
    expect(refused.data).toMatchObject({
      error_code: "RESOURCE_BUSY",
      retry_after_seconds: 1,
      details: { running: 2, waiting: 1 },
    });
    expect(registry.load).toEqual({ running: 2, waiting: 1 });
    for (const go of release.splice(0)) go();
    await Promise.all(calls.slice(0, 2));
    await new Promise((resolve) => setImmediate(resolve));
    for (const go of release.splice(0)) go();
    expect((await calls[2]!).success).toBe(true);
    await registry.idle();
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  });

  it("are freed by a call that was cancelled in the queue", async () => {
    const tool = defineTool({
      name: "wait",
      version: "1.0.0",
      description: "Waits",
      timeoutMs: 40,
      run: () => new Promise<object>(() => {}),
    });
    const registry = createRegistry({
      name: "t",
      version: "1",
      tools: [tool],
      concurrency: { running: 1, waiting: 5 },
    });
    const controller = new AbortController();
    const first = registry.call("wait");
    const second = registry.call("wait", {}, { signal: controller.signal });
    await new Promise((resolve) => setImmediate(resolve));
    controller.abort();
    expect(codeOf(await second)).toBe("CANCELLED");
    expect(codeOf(await first)).toBe("TIMEOUT");
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  });
});

describe("the context of a handler", () => {
  it("refuses malformed warnings and attachments as a fault of the handler", async () => {
    for (const attach of [
      { type: "image", data: "not base64!", mimeType: "image/png" },
      { type: "image", data: "aGk=" },
      { type: "resource_link", uri: 1, name: "x" },
      { type: "resource", uri: "x://y", text: 4 },
      { type: "resource", uri: "x://y" },
      { type: "video" },
      null,
    ]) {
      const envelope = await call((_input, context) => {
        context.attach(attach as never);
        return {};
      });
      expect([codeOf(envelope), envelope.error]).toEqual([
        "INTERNAL_ERROR",
        expect.stringMatching(/^Cannot attach/),
      ]);
    }
  });

  it("refuses questions where the client cannot be asked", async () => {
    const envelope = await call((_input, context) => context.elicit({ message: "?", url: "https://x.test" }));
    expect(envelope.data).toMatchObject({
      error_code: "NOT_IMPLEMENTED",
      details: { capability: "elicitation" },
    });
  });

  it("validates an answer to a question, and pauses the deadline meanwhile", async () => {
    const form = z.object({ age: z.number() });
    const run: Run = (_input, context) => context.elicit({ message: "age?", schema: form });
    const slow = () =>
      new Promise((resolve) => setTimeout(() => resolve({ action: "accept", content: { age: 7 } }), 60));
    expect((await call(run, { asker: slow, timeoutMs: 30 })).data).toEqual({
      action: "accept",
      content: { age: 7 },
    });
    const wrong = await call(run, { asker: async () => ({ action: "accept", content: { age: "7" } }) });
    expect(wrong.data).toMatchObject({ error_code: "INVALID_FORMAT", details: { field: "age" } });
    expect((await call(run, { asker: async () => ({ action: "decline" }) })).data).toEqual({
      action: "decline",
    });
    expect(codeOf(await call(run, { asker: async () => "garbage" }))).toBe("UPSTREAM_ERROR");
  });
});

describe("the fast path of a plain success", () => {
  it("equals the envelope of the contract's builder", async () => {
    const { meta, ...envelope } = await call(() => ({ a: 1 }), { requestId: "mine" });
    const telemetry = { duration_ms: meta.telemetry?.duration_ms };
    const built = successResponse({ a: 1 }, { requestId: "mine", telemetry });
    expect(JSON.stringify({ ...envelope, meta })).toBe(JSON.stringify(built));
  });
});

describe("a hostile handler or caller", () => {
  const never = z.string().refine(() => new Promise<boolean>(() => {}));
  const hang = (more: object) =>
    defineTool({
      name: "hang",
      version: "1.0.0",
      description: "H",
      timeoutMs: 30,
      run: () => ({ a: "x" }),
      ...more,
    } as never);

  it.each([
    ["input", hang({ input: z.object({ a: never }) })],
    ["output", hang({ output: z.object({ a: never }) })],
  ])(
    "a schema of the %s that never decides ends by the deadline, and its place is free",
    async (_name, tool) => {
      const registry = createRegistry({ name: "t", version: "1", tools: [tool], validateOutput: true });
      const args = tool.actions.get("")?.input === undefined ? {} : { a: "x" };
      expect(codeOf(await registry.call("hang", args))).toBe("TIMEOUT");
      expect(registry.load).toEqual({ running: 0, waiting: 0 });
    },
  );

  it("that throws an unreadable value gets an envelope, and its slot is freed", async () => {
    const { proxy, revoke } = Proxy.revocable({}, {});
    revoke();
    const tool = defineTool({
      name: "throws",
      version: "1.0.0",
      description: "T",
      run: () => {
        throw proxy;
      },
    });
    const registry = createRegistry({ name: "t", version: "1", tools: [tool] });
    expect(codeOf(await registry.call("throws"))).toBe("INTERNAL_ERROR");
    expect(registry.load).toEqual({ running: 0, waiting: 0 });
  });

  it.each<[string, unknown, RegExp]>([
    ["a date", new Date(0), /returned a date/],
    ["a generator", (function* () {})(), /returned an iterable/],
    ["an async generator", (async function* () {})(), /returned an iterable/],
    ["a map", new Map(), /returned an iterable/],
  ])("that returns %s is a fault of the tool", async (_name, payload, message) => {
    const envelope = await call(() => payload);
    expect([codeOf(envelope), envelope.error]).toEqual(["INTERNAL_ERROR", expect.stringMatching(message)]);
  });

  it("that passes an invalid signal gets an envelope", async () => {
    expect((await call(() => ({}), { signal: {} as AbortSignal })).error).toBe(
      "Cannot call: signal is no AbortSignal",
    );
  });

  it("that asks two questions at once pauses the deadline until the last is answered", async () => {
    const form = z.object({ n: z.number() });
    const answer = (ms: number) =>
      new Promise((resolve) => setTimeout(() => resolve({ action: "accept", content: { n: ms } }), ms));
    const delays = [5, 80];
    const envelope = await call(
      (_input, { elicit }) =>
        Promise.all([elicit({ message: "a", schema: form }), elicit({ message: "b", schema: form })]).then(
          ([a, b]) => ({ a, b }),
        ),
      { asker: () => answer(delays.shift() ?? 0), timeoutMs: 40 },
    );
    expect(codeOf(envelope)).toBe("success");
  });
});
