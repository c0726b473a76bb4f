import { once } from "node:events";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ContractError } from "@foundry-mcp/contract";
import {
  ErrorCode,
  OpenFeature,
  OpenFeatureEventEmitter,
  type Provider,
  ProviderEvents,
  type ResolutionDetails,
} from "@openfeature/server-sdk";
import { afterEach, describe, expect, it, vi } from "vitest";
import { FlagProvider } from "./flag-provider.ts";
import { openFlags } from "./open-flags.ts";

/** A minimal third-party provider. */
class ForeignProvider implements Provider {
  readonly metadata = { name: "foreign" };
  readonly events = new OpenFeatureEventEmitter();
  readonly asked: string[] = [];
  closed = 0;
  resolve: (flag: string, client: string) => unknown;
  constructor(resolve: (flag: string, client: string) => unknown) {
    this.resolve = resolve;
  }
  async onClose() {
    this.closed += 1;
  }
  async resolveBooleanEvaluation(flag: string, _: boolean, { targetingKey = "" }) {
    this.asked.push(`${flag} ${targetingKey}`);
    return this.resolve(flag, targetingKey) as ResolutionDetails<boolean>;
  }
  resolveStringEvaluation = async (_: string, value: string) => ({ value });
  resolveNumberEvaluation = async (_: string, value: number) => ({ value });
  resolveObjectEvaluation = async <T>(_: string, value: T) => ({ value });
}

afterEach(() => OpenFeature.clearProviders());

describe("openFlags", () => {
  it("decides flags that are defined in code, with their state", async () => {
    const flags = await openFlags({
      flags: { search: { state: "beta", block: ["mallory"], default: true }, old: { state: "deprecated" } },
      overrides: { old: true },
      clientOverrides: { bob: { search: false } },
    });
    const ask = async (flag: string, client: string) => flags.evaluate(flag, client);
    expect([
      await ask("search", "alice"),
      await ask("search", "mallory"),
      await ask("search", "bob"),
      await ask("old", "bob"),
      await ask("none", "bob"),
    ]).toEqual([
      { isEnabled: true, reason: "default", state: "beta" },
      { isEnabled: false, reason: "blocked", state: "beta" },
      { isEnabled: false, reason: "client_override", state: "beta" },
      { isEnabled: true, reason: "override", state: "deprecated" },
      { isEnabled: false, reason: "unknown" },
    ]);
    expect(["search", "none", "toString"].map((name) => flags.has(name))).toEqual([true, false, false]);
    await flags.close();
  });

  it("lists every flag by name, with its definition", async () => {
    const flags = await openFlags({
      flags: {
        zeta: { default: true },
        alpha: {
          state: "stable",
          description: "The first",
          owner: "a-team",
          createdAt: "2026-01-31",
          expiresAt: "2999-01-31",
          allow: ["bob"],
        },
      },
    });
    expect(await flags.list("alice")).toEqual([
      {
        name: "alpha",
        enabled: false,
        reason: "not_allowed",
        state: "stable",
        description: "The first",
        owner: "a-team",
        created_at: "2026-01-31",
        expires_at: "2999-01-31",
      },
      { name: "zeta", enabled: true, reason: "default", state: "experimental" },
    ]);
    await flags.close();
  });

  it.each([
    [{}, "of file, flags and provider none is given"],
    [{ file: "x", flags: {} }, "of file, flags and provider file and flags are given"],
    [{ flags: {}, names: ["a"] }, "names cannot be used with flags"],
    [{ provider: new ForeignProvider(() => 0), overrides: {} }, "overrides cannot be used with provider"],
  ])("refuses options that contradict each other", async (options, why) => {
    await expect(openFlags(options)).rejects.toMatchObject({
      name: "ContractError",
      code: "VALIDATION_ERROR",
      message: `Cannot open flags: ${why}`,
    });
  });

  it.each(["", " ", null])("refuses a blank file: %j", async (file) => {
    await expect(openFlags({ file: file as string })).rejects.toMatchObject({
      name: "ContractError",
      code: "VALIDATION_ERROR",
      message: "Cannot read flags: file is blank",
      options: { remediation: "Set file to the path of a JSON file of flags." },
    });
  });

  it("refuses invalid flags", async () => {
    await expect(openFlags({ flags: { a: { dependencies: ["a"] } } })).rejects.toThrow(
      "flags.a.dependencies form a cycle: a → a",
    );
  });
});

describe("a cached verdict", () => {
  it("is returned synchronously for a second, per flag and client", async () => {
    let now = 0;
    const flags = await openFlags({
      flags: { f: { default: true, expiresAt: "1970-01-01T00:00:01.500Z" } },
      now: () => now,
    });
    const first = flags.evaluate("f", "alice");
    expect(first).toBeInstanceOf(Promise);
    const on = { isEnabled: true, reason: "default", state: "experimental" };
    expect(await first).toEqual(on);
    now = 999;
    expect(flags.evaluate("f", "alice")).toEqual(on);
    expect(flags.evaluate("f", "bob")).toBeInstanceOf(Promise);
    now = 1_499;
    expect(await flags.evaluate("f", "alice")).toEqual(on);
    now = 1_500;
    expect(flags.evaluate("f", "alice")).toEqual(on);
    now = 2_499;
    expect(await flags.evaluate("f", "alice")).toEqual({ ...on, reason: "expired" });
    await flags.close();
  });

  it("is dropped when the provider reports a change, also during an evaluation", async () => {
    let value = true;
    let answer = (): void => {};
    const provider = new ForeignProvider(() => ({ value }));
    const flags = await openFlags({ provider, names: ["f"] });
    await flags.evaluate("f", "alice");
    expect(flags.evaluate("f", "alice")).toEqual({ isEnabled: true, reason: "provider" });

    provider.resolve = () =>
      new Promise((resolve) => {
        const said = value;
        answer = () => resolve({ value: said });
      });
    const late = flags.evaluate("f", "bob") as Promise<unknown>;
    await expect.poll(() => provider.asked.at(-1)).toBe("f bob");
    value = false;
    provider.events.emit(ProviderEvents.ConfigurationChanged);
    answer();
    expect(await late).toEqual({ isEnabled: true, reason: "provider" });
    provider.resolve = () => ({ value });
    for (const client of ["alice", "bob"]) {
      expect(await flags.evaluate("f", client)).toEqual({ isEnabled: false, reason: "provider" });
    }
    expect(provider.asked).toEqual(["f alice", "f bob", "f alice", "f bob"]);
    await flags.close();
  });
});

describe("a third-party provider", () => {
  it("decides by its own rules", async () => {
    const answers: Record<string, unknown> = {
      on: { value: true, reason: "TARGETING_MATCH", flagMetadata: { state: "beta" } },
      off: { value: false, reason: "SPLIT", flagMetadata: { state: "odd" } },
      silent: { value: true, reason: "UNKNOWN" },
      missing: { value: true, errorCode: ErrorCode.FLAG_NOT_FOUND },
    };
    const provider = new ForeignProvider((flag) => answers[flag]);
    const flags = await openFlags({ provider, names: ["on", "off", "silent", "missing", "off"] });
    expect(await flags.list("alice")).toEqual([
      { name: "missing", enabled: false, reason: "unknown" },
      { name: "off", enabled: false, reason: "split" },
      { name: "on", enabled: true, reason: "targeting_match", state: "beta" },
      { name: "silent", enabled: true, reason: "provider" },
    ]);
    expect([flags.has("on"), flags.has("other")]).toEqual([true, false]);
    expect(provider.asked).toEqual(["missing alice", "off alice", "on alice", "silent alice"]);
    await flags.close();
  });

  it.each([
    [
      "throws",
      () => {
        throw new Error("no line");
      },
      "GENERAL, no line",
    ],
    ["says error", () => ({ value: true, errorCode: ErrorCode.PARSE_ERROR }), "PARSE_ERROR"],
    ["gives reason ERROR", () => ({ value: true, reason: "ERROR" }), "the provider says so"],
    ["gives a text", () => ({ value: "true" }), "the provider gave a string, not a boolean"],
    ["gives nothing", () => undefined, /^GENERAL, /],
  ])("that %s has the flag off, is reported once and asked again", async (_name, resolve, why) => {
    const errors: ContractError[] = [];
    const provider = new ForeignProvider(resolve);
    const flags = await openFlags({ provider, onError: (error) => errors.push(error) });
    for (const client of ["alice", "alice", "bob"]) {
      expect(await flags.evaluate("f", client)).toEqual({ isEnabled: false, reason: "error" });
    }
    expect(provider.asked.length).toBe(3);
    expect(errors.map(({ code }) => code)).toEqual(["UNAVAILABLE"]);
    const trouble = errors[0]?.message.replace("Cannot evaluate the flag f, so the flag is off: ", "");
    expect(trouble).toEqual(typeof why === "string" ? why : expect.stringMatching(why));

    provider.resolve = () => ({ value: true });
    expect(await flags.evaluate("f", "alice")).toEqual({ isEnabled: true, reason: "provider" });
    provider.resolve = resolve;
    expect(await flags.evaluate("f", "bob")).toEqual({ isEnabled: false, reason: "error" });
    expect(errors.length).toBe(2);
    await flags.close();
  });

  it("that fails becomes a process warning where there is no listener", async () => {
    const flags = await openFlags({ provider: new ForeignProvider(() => ({ value: "true" })) });
    const warned = once(process, "warning");
    await flags.evaluate("f", "alice");
    expect(await warned).toMatchObject([{ name: "FlagWarning", code: "UNAVAILABLE" }]);
    await flags.close();
  });

  it("that does not answer does not delay other flags", async () => {
    const provider = new ForeignProvider((flag) => (flag === "f" ? new Promise(() => {}) : { value: true }));
    const flags = await openFlags({ provider });
    expect(flags.evaluate("f", "alice")).toBeInstanceOf(Promise);
    expect(await flags.evaluate("g", "alice")).toEqual({ isEnabled: true, reason: "provider" });
    expect(flags.evaluate("f", "alice")).toBeInstanceOf(Promise);
    await flags.close();
  });

  it("gives a verdict though the error listener throws", async () => {
    const provider = new ForeignProvider(() => ({ value: "true" }));
    const flags = await openFlags({
      provider,
      onError: () => {
        throw new Error("deaf");
      },
    });
    expect(await flags.evaluate("f", "alice")).toEqual({ isEnabled: false, reason: "error" });
    await flags.close();
  });

  it("that does not start is refused", async () => {
    const provider = Object.assign(new ForeignProvider(() => ({ value: true })), {
      initialize: () => Promise.reject(new Error("no line")),
    });
    const failure = await openFlags({ provider }).catch((error: unknown) => error);
    expect(failure).toMatchObject({
      name: "ContractError",
      code: "UNAVAILABLE",
      message: "Cannot open flags: the provider did not start",
      cause: { message: "no line" },
    });
    expect(provider.closed).toBe(1);
  });
});

describe("several flag sources in one process", () => {
  it("do not disturb each other, nor the provider of the process", async () => {
    const global = new ForeignProvider(() => ({ value: true, reason: "STATIC" }));
    await OpenFeature.setProviderAndWait(global);
    const [one, two] = await Promise.all([
      openFlags({ flags: { f: { default: true } } }),
      openFlags({ flags: { f: { default: false }, g: {} } }),
    ]);
    expect([await one.evaluate("f", "a"), await two.evaluate("f", "a")]).toEqual([
      { isEnabled: true, reason: "default", state: "experimental" },
      { isEnabled: false, reason: "default", state: "experimental" },
    ]);
    expect([one.has("g"), two.has("g")]).toEqual([false, true]);
    await one.close();
    expect(await two.evaluate("g", "a")).toEqual({
      isEnabled: false,
      reason: "default",
      state: "experimental",
    });
    expect(OpenFeature.getProvider()).toBe(global);
    expect(await OpenFeature.getClient().getBooleanValue("f", false)).toBe(true);
    expect([global.asked, global.closed]).toEqual([["f "], 0]);
    await two.close();
  });

  it("share a provider until the last is closed", async () => {
    const provider = new ForeignProvider(() => ({ value: true }));
    const one = await openFlags({ provider });
    const two = await openFlags({ provider });
    await one.close();
    expect([await one.evaluate("f", "a"), await two.evaluate("f", "a"), provider.closed]).toEqual([
      { isEnabled: false, reason: "closed" },
      { isEnabled: true, reason: "provider" },
      0,
    ]);
    await two.close();
    expect(provider.closed).toBe(1);
  });

  it("do not fall back to the provider of the process once theirs is gone", async () => {
    const flags = await openFlags({ flags: { f: { default: false } } });
    await OpenFeature.clearProviders();
    await OpenFeature.setProviderAndWait(new ForeignProvider(() => ({ value: true })));
    expect(await flags.evaluate("f", "a")).toEqual({ isEnabled: false, reason: "closed" });
    await flags.close();
  });
});

describe("closed flags", () => {
  it("are off at once, and may be closed twice", async () => {
    const flags = await openFlags({ flags: { f: { default: true } } });
    await flags.evaluate("f", "a");
    await flags.close();
    await flags.close();
    expect(await flags.evaluate("f", "a")).toEqual({ isEnabled: false, reason: "closed" });
    expect(await flags.list("a")).toEqual([
      { name: "f", enabled: false, reason: "closed", state: "experimental" },
    ]);
  });

  it("release their domain for the next", async () => {
    const domains = new Set<string | undefined>();
    const hear = (details?: { domain?: string }) => domains.add(details?.domain);
    OpenFeature.addHandler(ProviderEvents.Ready, hear);
    for (let round = 0; round < 20; round += 1) {
      const flags = await openFlags({ flags: { f: { default: round % 2 === 0 } } });
      expect(await flags.evaluate("f", "a")).toMatchObject({ isEnabled: round % 2 === 0 });
      await flags.close();
    }
    OpenFeature.removeHandler(ProviderEvents.Ready, hear);
    domains.delete(undefined);
    expect(domains.size).toBe(1);
  });
});

describe("FlagProvider alone", () => {
  it("serves any OpenFeature client, and emits an event when its flags change", async () => {
    const folder = await mkdtemp(join(tmpdir(), "flags-"));
    const file = join(folder, "flags.json");
    await writeFile(file, '{"flags": {"f": {"state": "stable", "default": true}}}');
    let now = 0;
    await OpenFeature.setProviderAndWait(new FlagProvider({ file, now: () => now }));
    const client = OpenFeature.getClient();
    const changes: unknown[] = [];
    client.addHandler(ProviderEvents.ConfigurationChanged, (details) => {
      changes.push(details?.message);
    });
    expect(await client.getBooleanDetails("f", false, { targetingKey: "a" })).toEqual({
      flagKey: "f",
      value: true,
      reason: "default",
      flagMetadata: { state: "stable" },
    });
    expect(await client.getStringDetails("f", "x")).toMatchObject({ value: "x", errorCode: "TYPE_MISMATCH" });
    expect(await client.getNumberDetails("f", 1)).toMatchObject({ value: 1, errorCode: "TYPE_MISMATCH" });
    expect(await client.getObjectDetails("g", {})).toMatchObject({ value: {}, errorCode: "FLAG_NOT_FOUND" });
    expect(await client.getBooleanDetails("g", true)).toMatchObject({
      value: true,
      errorCode: "FLAG_NOT_FOUND",
    });
    await writeFile(file, '{"flags": {"f": {}}}');
    expect(changes).toEqual([]);
    now += 1_000;
    expect(await client.getBooleanValue("f", true)).toBe(false);
    expect(new Set(changes)).toEqual(new Set(["The flags have changed"]));
    await rm(folder, { recursive: true });
  });

  it.each([
    [{}, "neither"],
    [{ file: "x", flags: {} }, "both"],
  ])("refuses %j", (options, which) => {
    expect(() => new FlagProvider(options)).toThrow(`Cannot read flags: ${which} file and flags given`);
  });
});

describe("a provider that hangs", () => {
  it("leaves its flags off after a second, and is asked again", async () => {
    vi.useFakeTimers();
    try {
      let asked = 0;
      const provider = {
        metadata: { name: "hanging" },
        resolveBooleanEvaluation: () => {
          asked += 1;
          return new Promise<never>(() => {});
        },
      } as unknown as Provider;
      const flags = await openFlags({ provider, names: ["f"], onError: () => {} });
      for (const times of [1, 2]) {
        const verdict = flags.evaluate("f", "alice");
        await vi.advanceTimersByTimeAsync(1_000);
        expect(await verdict).toEqual({ isEnabled: false, reason: "error" });
        expect(asked).toBe(times);
      }
      await flags.close();
    } finally {
      vi.useRealTimers();
    }
  });
});
