import { detectDialect, type Envelope } from "@foundry-mcp/contract";
import { describe, expect, it } from "vitest";
import type { Caller } from "../context/call.ts";
import { action } from "../define/action.ts";
import { defineTool, type Tool } from "../define/tool.ts";
import type { FlagDefinition } from "../flags/flag-definition.ts";
import type { Flags } from "../flags/flags.ts";
import { openFlags } from "../flags/open-flags.ts";
import type { Quota, RateLimiter } from "../limits/rate-limiter.ts";
import { createRegistry, type Registry } from "../registry/registry.ts";
import type { RegistryOptions } from "../registry/registry-options.ts";

const demo = { name: "demo", version: "1.0.0", description: "Demo" };
const plain = defineTool({ ...demo, run: () => ({ done: true }) });

const registryOf = (tool: Tool, options: Partial<RegistryOptions> = {}): Registry =>
  createRegistry({ name: "policies", version: "1.0.0", tools: [tool], ...options });

/** The caller of a call over stdio. */
const overStdio: Caller = { surface: "stdio", client: { name: "test" } };
const call = async (registry: Registry, more: Partial<Caller> = {}, args: object = {}): Promise<Envelope> =>
  (await registry.dispatch({ tool: "demo", args }, { ...overStdio, ...more })).envelope;

describe("a declaration", () => {
  it.each([
    [{ tier: "Enterprise" }, 'its tier is "Enterprise", none of community, pro, enterprise'],
    [{ flag: "" }, "its flag is no name"],
    [{ flag: 7 }, "its flag is no name"],
    [{ features: { x: {} } }, 'the tier of its feature x is "undefined", none of community, pro, enterprise'],
    [
      { features: { x: { tier: "pro", below: "hide" } } },
      'its feature x has below "hide", wanted refuse or omit',
    ],
  ])("with a requirement that nothing enforces is refused: %j", (needs, why) => {
    const tools = [
      defineTool({ ...demo, run: () => ({}), ...(needs as object) }),
      defineTool({ ...demo, actions: { go: action({ run: () => ({}), ...(needs as object) }) } }),
    ];
    for (const tool of tools) expect(() => registryOf(tool)).toThrow(why);
  });

  it.each([
    [{ flags: {} }, "flags has no method evaluate"],
    [{ rateLimiter: {} }, "rateLimiter has no method take"],
    [{ budget: { archive: {} } }, "budget.archive has no method put"],
    [{ dialects: [] }, "dialects is empty"],
    [{ dialects: ["v9"] }, 'dialect "v9" is none of response-v2, envelope-v1, response-v1'],
    [{ dialect: "response-v2", dialects: ["response-v1"] }, 'dialect "response-v2" is none of response-v1'],
  ])("of a registry with unusable options is refused: %j", (options, why) => {
    expect(() => registryOf(plain, options as never)).toThrow(why);
  });

  it("uses the first of its dialects by default", () => {
    expect(registryOf(plain, { dialects: ["envelope-v1", "response-v2"] }).options.dialect).toBe(
      "envelope-v1",
    );
  });
});

describe("a role", () => {
  it("that is unknown may not change anything", async () => {
    const principal = { id: "ann", role: "Maintainer" as never };
    const envelope = await registryOf(plain).call("demo", {}, { principal });
    expect(envelope.data["error_code"]).toBe("FORBIDDEN");
  });
});

describe("a feature", () => {
  const asking = (names: readonly string[]) =>
    defineTool({
      ...demo,
      features: { deep: { tier: "pro", below: "omit" } },
      run: (_input, { feature }) => ({ open: names.map((name) => feature(name)) }),
    });

  it("adds one upgrade hint, however often it is asked for", async () => {
    const envelope = await registryOf(asking(["deep", "deep"])).call("demo");
    expect(envelope.data).toEqual({ open: [false, false] });
    expect(envelope.meta.warning_details).toHaveLength(1);
  });

  it.each(["shallow", "toString", "__proto__"])(
    "that is not declared is a fault of the tool: %s",
    async (name) => {
      const envelope = await registryOf(asking([name])).call("demo");
      expect(envelope.error).toBe(`Cannot ask for feature "${name}": demo does not declare it`);
    },
  );
});

describe("a third-party rate limiter", () => {
  const quota: Quota = {
    isAllowed: true,
    policy: "own",
    limit: 10,
    remaining: 1.9,
    periodSeconds: 60,
    resetMs: 5_000,
  };
  const limit = (take: () => unknown): Registry =>
    registryOf(plain, { rateLimiter: { take } as unknown as RateLimiter });

  it("may return null for no limit", async () => {
    expect((await call(limit(() => null))).data).toEqual({ done: true });
  });

  it.each([{}, { ...quota, resetMs: Number.NaN }, { ...quota, limit: "10" }, 7])(
    "that gives no quota costs the call, and nothing more: %j",
    async (given) => {
      const envelope = await call(limit(() => given));
      expect(envelope.error).toBe("Cannot count the call: the rate limiter gave no quota");
      expect(envelope.meta.rate_limit).toBeUndefined();
    },
  );

  it.each<[string, Partial<Quota>, object, readonly string[]]>([
    ["much is left", { remaining: 9 }, {}, []],
    ["little is left", { remaining: 1 }, {}, ["RATE_LIMIT_APPROACHING"]],
    ["the input is wrong", { remaining: 9 }, { wrong: 1 }, []],
    ["little is left and the input is wrong", { remaining: 1 }, { wrong: 1 }, ["RATE_LIMIT_APPROACHING"]],
  ])("is in every answer, with its keys in one order: %s", async (_title, given, args, codes) => {
    const { success, meta } = await call(
      limit(() => ({ ...quota, ...given })),
      {},
      args,
    );
    expect(success).toBe(Object.keys(args).length === 0);
    expect(Object.entries(meta.rate_limit ?? {})).toEqual([
      ["limit", 10],
      ["remaining", given.remaining],
      ["reset_at", expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/)],
      ["period", "minute"],
    ]);
    expect((meta.warning_details ?? []).map(({ code }) => code)).toEqual(codes);
  });

  it("is in the answer of a refused call, with its keys in the same order", async () => {
    const refused = await call(limit(() => ({ ...quota, remaining: 0, isAllowed: false })));
    expect(Object.keys(refused.meta.rate_limit ?? {})).toEqual([
      "limit",
      "remaining",
      "reset_at",
      "period",
      "retry_after",
    ]);
  });

  it("may end at a time that no date can hold", async () => {
    const { success, meta } = await call(limit(() => ({ ...quota, resetMs: 1e300 })));
    expect([success, typeof meta.rate_limit?.reset_at]).toEqual([true, "string"]);
  });

  it("is reported in whole calls", async () => {
    const { rate_limit } = (await call(limit(async () => quota))).meta;
    expect(rate_limit).toMatchObject({ limit: 10, remaining: 1 });
    const below = (await call(limit(async () => ({ ...quota, remaining: -3 })))).meta;
    expect(below.rate_limit?.remaining).toBe(0);
  });

  it("that throws or hangs fails the call", async () => {
    const thrown = await call(
      limit(() => {
        throw new Error("secret");
      }),
    );
    expect(thrown.data["error_code"]).toBe("INTERNAL_ERROR");
    const hanging = registryOf(plain, {
      timeoutMs: 20,
      rateLimiter: { take: () => new Promise<never>(() => {}) },
    });
    expect((await call(hanging)).data["error_code"]).toBe("TIMEOUT");
  });
});

describe("the flag response_contract_v2", () => {
  const flagsOf = (evaluate: Flags["evaluate"]): Flags => ({
    has: (name) => name === "response_contract_v2",
    evaluate,
    list: async () => [],
    close: async () => {},
  });
  const never = flagsOf(() => new Promise<never>(() => {}));
  const off = flagsOf(() => ({ isEnabled: false, reason: "default" }));

  it("is awaited only until the deadline of the call", async () => {
    const registry = registryOf(plain, { flags: never, timeoutMs: 20 });
    expect((await call(registry)).data["error_code"]).toBe("TIMEOUT");
    expect((await call(registry, {}, { action: 1 })).data["error_code"]).toBe("TIMEOUT");
    expect((await call(registry, { signal: AbortSignal.abort() })).data["error_code"]).toBe("CANCELLED");
    expect((await registry.call("demo")).data).toEqual({ done: true });
  });

  it.each(["response-v2", "envelope-v1"] as const)(
    "takes clients to response-v1 from %s",
    async (dialect) => {
      const registry = registryOf(plain, { flags: off, dialect, dialects: [dialect, "response-v1"] });
      const { value } = await registry.dispatch({ tool: "demo", args: {} }, overStdio);
      expect(value).toEqual({ success: true, schema_version: "1.0.0", done: true });
      const { value: unknown } = await registry.dispatch({ tool: "dmeo", args: {} }, overStdio);
      expect(unknown).toMatchObject({ success: false, schema_version: "1.0.0" });
    },
  );

  it.each<[string, FlagDefinition, boolean]>([
    ["only a state", { state: "stable" }, true],
    ["nothing", {}, true],
    ["default true", { default: true }, true],
    ["default false", { default: false }, false],
    ["a percentage of 0", { percentage: 0 }, false],
    ["a percentage of 100", { percentage: 100 }, true],
    ["this client blocked", { block: ["test"] }, false],
  ])("of a definition with %s is %s", async (_title, definition, isOn) => {
    const flags = await openFlags({ flags: { response_contract_v2: definition } });
    const registry = registryOf(plain, { flags });
    const { value } = await registry.dispatch({ tool: "demo", args: {} }, overStdio);
    expect(value).toMatchObject(isOn ? { meta: { version: "response-v2" } } : { schema_version: "1.0.0" });
    const { envelope } = await registry.dispatch({ tool: "server", args: { action: "flags" } }, overStdio);
    expect(envelope.data["flags"]).toMatchObject([{ name: "response_contract_v2", enabled: isOn }]);
    await flags.close();
  });

  it("is listed and on where no source defines it, and where its source fails", async () => {
    const reported = {
      name: "response_contract_v2",
      enabled: true,
      reason: "default",
      state: "stable",
    } as const;
    const listed = async (options: Partial<RegistryOptions>) =>
      (await registryOf(plain, options).call("server", { action: "flags" })).data["flags"];
    const other = await openFlags({ flags: { dark_mode: { default: true } } });
    const dark = { name: "dark_mode", enabled: true, reason: "default", state: "experimental" };
    expect(await listed({})).toEqual([reported]);
    expect(await listed({ flags: other })).toEqual([dark, reported]);
    await other.close();
    const failing = { ...off, list: async () => [{ ...reported, enabled: false, reason: "error" }] };
    expect(await listed({ flags: failing })).toEqual([{ ...reported, reason: "error" }]);
  });

  it.each(["error", "closed", "unknown"])("changes nothing where its source fails: %s", async (reason) => {
    const registry = registryOf(plain, { flags: flagsOf(() => ({ isEnabled: false, reason })) });
    const { value } = await registry.dispatch({ tool: "demo", args: {} }, overStdio);
    expect(value).toMatchObject({ success: true, data: { done: true } });
  });

  it("shows in negotiation and context", async () => {
    const registry = registryOf(plain, { flags: off });
    const ask = async (args: object) =>
      (await registry.dispatch({ tool: "server", args }, overStdio)).value as Record<string, unknown>;
    const wish = { response_contract: "v9" };
    expect(await ask({ action: "capability-negotiate", client_capabilities: wish })).toMatchObject({
      schema_version: "1.0.0",
      negotiated: { response_contract: "v1" },
    });
    expect(await ask({ action: "context" })).toMatchObject({ dialect: "response-v1" });
  });
});

describe("negotiation", () => {
  const connection: Partial<Caller> = { agreement: {} };
  const noConnection =
    'there is no connection to hold it: send it with each request, as _meta["foundry-mcp/response_contract"] or the header Foundry-Response-Contract';
  const unspoken = (name: string) =>
    `response_contract ${name} is not supported; this server supports v2, envelope-v1`;

  it.each<[unknown, Partial<Caller>, string, string | undefined]>([
    ["v2", connection, "v2", undefined],
    ["envelope-v1", connection, "envelope-v1", undefined],
    [["v9", "envelope-v1", "v2"], connection, "envelope-v1", undefined],
    [["v2", "envelope-v1"], connection, "v2", undefined],
    [["v9", "v1"], connection, "v2", unspoken('"v9"')],
    [[], connection, "v2", unspoken("of a list")],
    ["v2", {}, "v2", undefined],
    [["v2"], {}, "v2", undefined],
    [["envelope-v1", "v2"], {}, "v2", undefined],
    ["envelope-v1", {}, "v2", noConnection],
    [["envelope-v1"], {}, "v2", noConnection],
  ])("of %j with %j agrees on %s", async (wish, more, agreed, refusal) => {
    const registry = registryOf(plain, { dialects: ["response-v2", "envelope-v1"] });
    const args = { action: "capability-negotiate", client_capabilities: { response_contract: wish } };
    const caller = { ...overStdio, ...(more.agreement === undefined ? {} : { agreement: {} }) };
    const { envelope } = await registry.dispatch({ tool: "server", args }, caller);
    expect(envelope.data).toEqual({
      negotiated: { response_contract: agreed },
      refused: refusal === undefined ? {} : { response_contract: refusal },
      holds_for: more.agreement === undefined ? "request" : "connection",
    });
    expect(envelope.meta.warnings).toEqual(
      refusal === undefined ? undefined : [`response_contract was not negotiated: ${refusal}`],
    );
    const next = await registry.dispatch({ tool: "demo", args: {} }, caller);
    expect(detectDialect(next.value)).toBe(agreed === "v2" ? "response-v2" : agreed);
  });
});

describe("a request for a dialect", () => {
  it.each([
    [Array(100_000).fill("x"), "response_contract of a list"],
    [{ v: 2 }, "response_contract of type object"],
    ["x".repeat(100_000), "response_contract (a text of 100000 characters)"],
    ["v3", 'response_contract "v3"'],
    [7, "response_contract 7"],
  ])("that cannot be met is a warning, not a failure", async (contract, start) => {
    const registry = registryOf(plain);
    const { envelope } = await registry.dispatch({ tool: "demo", args: {}, contract }, overStdio);
    expect(envelope.data).toEqual({ done: true });
    expect(envelope.meta.warnings).toEqual([
      `${start} is not supported; this server supports v2, v1, envelope-v1`,
    ]);
  });

  it("may come with thousands of unknown capabilities", async () => {
    const client_capabilities = Object.fromEntries(Array.from({ length: 3_000 }, (_, n) => [`c${n}`, true]));
    const envelope = await registryOf(plain).call("server", {
      action: "capability-negotiate",
      client_capabilities,
    });
    expect(Object.keys(envelope.data["refused"] as object)).toHaveLength(20);
    expect(envelope.meta.warnings?.[0]).toBe("2980 further capabilities are not known");
  });
});

describe("clients without a name", () => {
  it("are distinguished by their connections", async () => {
    const keys: string[] = [];
    const rateLimiter: RateLimiter = { take: (key) => void keys.push(key) as undefined };
    const registry = registryOf(plain, { rateLimiter });
    await call(registry, { client: { name: "unknown" }, connection: "a" });
    await call(registry, { client: { name: "unknown" }, connection: "b" });
    await call(registry, { client: { name: "ann" }, connection: "b" });
    await call(registry, { client: { name: "ann" }, principal: { id: "p" } });
    expect(keys).toEqual(["connection a", "connection b", "ann", "p"]);
  });
});

describe("server(action=schema)", () => {
  it("finds a tool by every spelling that calls it", async () => {
    const tool = defineTool({ ...demo, name: "my_tool", aliases: ["old_name"], run: () => ({}) });
    const registry = registryOf(tool);
    for (const name of ["my_tool", "my-tool", "old-name"]) {
      expect((await registry.call("server", { action: "schema", tool: name })).data["tool"]).toBe("my_tool");
    }
  });
});
