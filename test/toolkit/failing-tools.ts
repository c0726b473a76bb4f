import {
  ContractError,
  cancelled,
  conflict,
  defineErrors,
  duplicateEntry,
  featureDisabled,
  forbidden,
  internal,
  notFound,
  rateLimited,
  timedOut,
  unauthorized,
  unavailable,
  upgradeRequired,
  validationError,
} from "@foundry-mcp/contract";
import { action, type Context, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { z } from "zod";

/** A secret in messages and causes that must never leave the process. */
export const plantedSecret = "hunter2-planted-secret";

const { error: ownError } = defineErrors({
  BUILD_BROKEN: { type: "conflict", remediation: "Repair the build." },
});

const secretError = () =>
  new Error(`connect postgres://root:${plantedSecret}@db failed at /var/lib/private/key.pem`);

/** Everything that a handler can throw, by the name of the action that throws it. */
const thrown: Readonly<Record<string, () => unknown>> = {
  not_found: () => notFound("spec", "s-1"),
  conflict: () => conflict("The note is being edited", { errorCode: "INVALID_STATE" }),
  duplicate: () => duplicateEntry("note", "n-1"),
  unauthorized: () => unauthorized(),
  forbidden: () => forbidden("You may not read this", { requiredPermission: "notes:read" }),
  feature_disabled: () => featureDisabled("dark_mode"),
  upgrade_required: () => upgradeRequired({ feature: "search", tier: "pro" }),
  rate_limited: () =>
    rateLimited({ limit: 10, resetAt: "2026-11-15T00:00:00.000Z", period: "minute", retryAfter: 7 }),
  unavailable: () => unavailable("The index is being built", { retryAfterSeconds: 3 }),
  timed_out: () => timedOut(500),
  cancelled: () => cancelled(),
  internal: () => internal("The server failed on purpose", { cause: secretError() }),
  validation: () =>
    validationError([
      { field: "a", constraint: "required" },
      { field: "b", constraint: "enum", expected: ["x", "y"], received: "z" },
    ]),
  contract_error: () => new ContractError("Plain contract error"),
  own_code: () => ownError("BUILD_BROKEN", "Build 41 is broken"),
  error: secretError,
  type_error: () => new TypeError(`Cannot read properties of ${plantedSecret}`),
  system_error: () => Object.assign(secretError(), { code: "ECONNREFUSED" }),
  abort_error: () => Object.assign(secretError(), { name: "AbortError" }),
  aggregate: () => new AggregateError([secretError()], plantedSecret),
  string: () => `a string with ${plantedSecret}`,
  undefined: () => undefined,
  null: () => null,
  number: () => 42,
  symbol: () => Symbol(plantedSecret),
  object: () => ({ message: plantedSecret, code: "EACCES" }),
  hostile: () =>
    new Proxy(
      {},
      {
        get: () => {
          throw secretError();
        },
      },
    ),
  blank_message: () => new ContractError("  ", { errorCode: "NOT_FOUND" }),
  unwritable_details: () => new ContractError("Has details", { details: { big: 1n } }),
};

/** A tool that throws each of these values, immediately or later. */
export const throwsTool: Tool = defineTool({
  name: "throws",
  version: "1.0.0",
  description: "Fails in the way that the action names",
  actions: Object.fromEntries(
    Object.entries(thrown).map(([name, make]) => [
      name,
      action({
        input: z.object({ later: z.boolean().optional() }),
        run: ({ later }) => {
          if (later) return Promise.reject(make());
          throw make();
        },
      }),
    ]),
  ),
});

/** The ways to throw, for tables. */
export const thrownNames: readonly string[] = Object.keys(thrown);

/** All payloads that a handler must not return. */
const returned: Readonly<Record<string, () => unknown>> = {
  array: () => [1, 2],
  string: () => "text",
  number: () => 7,
  boolean: () => true,
  function: () => () => 1,
  big_int_alone: () => 1n,
  big_int: () => ({ a: { b: [1n] } }),
  cyclic: () => {
    const cycle: Record<string, unknown> = {};
    cycle["self"] = cycle;
    return cycle;
  },
  map: () => ({ map: new Map([["a", 1]]) }),
  set: () => ({ set: new Set([1]) }),
  not_a_number: () => ({ value: Number.NaN }),
  infinite: () => ({ value: Number.POSITIVE_INFINITY }),
  inner_function: () => ({ call: () => 1 }),
  symbol: () => ({ symbol: Symbol("s") }),
  bad_date: () => ({ date: new Date(Number.NaN) }),
  deep: () => {
    let deep: object = {};
    for (let level = 0; level < 2_000; level += 1) deep = { deep };
    return deep;
  },
  throwing_getter: () => ({
    get value() {
      throw secretError();
    },
  }),
  lying_json: () => ({
    toJSON() {
      throw secretError();
    },
  }),
  date: () => ({ date: new Date(0), nested: [new Date(1)] }),
  undefined_member: () => ({ there: 1, absent: undefined }),
  null: () => null,
  rejected: () => Promise.reject(secretError()),
  own_proto: () => JSON.parse('{"__proto__":{"polluted":true},"constructor":1}') as object,
  class_instance: () => new URL("https://example.com/path"),
};

/** The payloads, for tables. */
export const returnedNames: readonly string[] = Object.keys(returned);

/** A tool that returns each of those payloads. */
export const returnsTool: Tool = defineTool({
  name: "returns",
  version: "1.0.0",
  description: "Returns what the action names",
  actions: Object.fromEntries(
    Object.entries(returned).map(([name, make]) => [name, action({ run: () => make() as object })]),
  ),
});

/** A tool whose handlers violate their output schemas. */
export const brokenTool: Tool = defineTool({
  name: "broken",
  version: "1.0.0",
  description: "Breaks what it declares",
  actions: {
    output: action({
      output: z.object({ count: z.int() }),
      run: () => ({ count: plantedSecret as unknown as number }),
    }),
    attachment: action({
      run: (_input, context: Context) => {
        context.attach({ type: "image", data: "no base64!", mimeType: "image/png" });
        return {};
      },
    }),
    warned_failure: action({
      run: (_input, context: Context) => {
        context.warn("FALLBACK_USED", "The first source failed");
        context.attach({ type: "resource_link", uri: "test://one", name: "one" });
        throw unavailable("The second source failed too");
      },
    }),
  },
});

/** A tool whose handlers return too late or never. */
export const slowTool: Tool = defineTool({
  name: "slow",
  version: "1.0.0",
  description: "Misses its deadline",
  actions: {
    hang: action({ timeoutMs: 20, run: () => new Promise<object>(() => {}) }),
    late: action({
      timeoutMs: 20,
      run: (_input, { signal }) =>
        new Promise<object>((resolve) => signal.addEventListener("abort", () => resolve({ late: true }))),
    }),
    late_failure: action({
      timeoutMs: 20,
      run: (_input, { signal }) =>
        new Promise<object>((_resolve, reject) =>
          signal.addEventListener("abort", () => reject(secretError())),
        ),
    }),
    holds_thread: action({
      timeoutMs: 20,
      run: () => {
        const end = performance.now() + 40;
        while (performance.now() < end);
        return { held: true };
      },
    }),
  },
});
