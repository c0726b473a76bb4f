import { expect, it } from "vitest";
import * as budget from "../budget.ts";
import * as digest from "../digest.ts";
import * as contract from "../index.ts";
import * as paging from "../paging.ts";

// Calls every function of every entry point with values that nest 100,000 levels deep. A function may accept or
// refuse such a value, but must not overflow the stack.

const levels = 100_000;
const lists = JSON.parse("[".repeat(levels) + "]".repeat(levels)) as unknown[];
const objects = JSON.parse(`${'{"a":'.repeat(levels)}0${"}".repeat(levels)}`) as object;
const mixed = JSON.parse(`${'{"a":['.repeat(levels / 2)}${"]}".repeat(levels / 2)}`) as object;
const cyclic: { self?: object } = {};
cyclic.self = { cyclic };

const meta = { version: "response-v2" };
const v1 = { tier: "pro", tool_version: "1", tool_id: "t", request_id: "r", capabilities: ["envelope-v1"] };
const v1Rest = { duration_ms: null, error: null, upgrade_hints: [] };

/**
 * Returns values that contain a deep value: envelopes of each dialect with the deep value in each place, and
 * options of builders.
 */
const places = (deep: object): Readonly<Record<string, unknown>> => ({
  itself: deep,
  "in a list": [deep],
  data: { success: true, data: { deep }, error: null, meta },
  meta: { success: true, data: {}, error: null, meta: { ...meta, deep } },
  error: { success: false, data: { error_code: "X" }, error: deep, meta },
  details: { success: false, data: { error_code: "X", details: { deep } }, error: "x", meta },
  "another key": { success: true, data: {}, error: null, meta, deep },
  "envelope-v1": { ...v1, ...v1Rest, data: { deep } },
  "envelope-v1 error": { ...v1, ...v1Rest, error: deep, data: null },
  "response-v1": { success: true, schema_version: "1.0", deep },
  "a field": { field: "f", constraint: "c", received: deep, expected: deep },
  "a thrown error": Object.assign(new Error("x"), { cause: deep, code: deep }),
  "a thrown failure": new contract.ContractError("x", { details: { deep }, data: { deep } }),
  options: {
    meta: { deep },
    details: { deep },
    data: { deep },
    telemetry: { deep },
    warnings: deep,
    query: deep,
  },
  "a query": {
    tool: "t",
    action: "a",
    filters: { deep },
    maxTokens: 5,
    limit: 5,
    key: () => [deep],
    id: () => deep,
  },
});

const entryPoints = { contract, paging, budget, digest };

/** The functions that take no untrusted values, but only schemas of the program, texts or numbers. */
const takesNoInput = new Set(
  "envelopeSchemaOf successSchemaOf toJsonSchema defineErrors compareKeys estimateTokens invalidCursor mayBeTooDeep toJsonPath tooDeep".split(
    " ",
  ),
);

/** The functions whose first parameter is a text of the program, such as a message. */
const takesTextFirst = new Set(
  "ContractError cancelled conflict duplicateEntry featureDisabled forbidden internal notFound parseJsonText timedOut unauthorized unavailable warning".split(
    " ",
  ),
);

const functions = Object.entries(entryPoints).flatMap(([entryPoint, exported]) =>
  Object.entries(exported).flatMap(([name, value]) =>
    typeof value === "function" && !takesNoInput.has(name)
      ? [{ label: `${entryPoint} ${name}`, name, exported: value }]
      : [],
  ),
);

it.each(functions)("$label survives values of any depth", ({ name, exported }) => {
  const failures: string[] = [];
  for (const [kind, deep] of Object.entries({ lists, objects, mixed, cyclic })) {
    for (const [place, value] of Object.entries(places(deep))) {
      const first = takesTextFirst.has(name) ? [] : [[value], [value, name === "isTooDeep" ? 5 : value]];
      for (const parameters of [...first, ["x", name === "isTooDeep" ? 5 : value]]) {
        try {
          call(exported, parameters);
        } catch (thrown) {
          // Only the message is recorded, because a value that nests so deeply cannot be printed.
          if (thrown instanceof RangeError) failures.push(`${kind}, ${place}: ${thrown.message}`);
        }
      }
    }
  }
  expect(failures).toEqual([]);
});

/** Calls a function, or creates an object of a class. */
function call(exported: object, parameters: readonly unknown[]): void {
  if (/^class\b/.test(String(exported))) Reflect.construct(exported as never, parameters);
  else Reflect.apply(exported as never, undefined, parameters);
}

it("reads no envelope that nests too deeply, as text or as value", () => {
  const reason = "The answer is no envelope: it nests lists and objects deeper than 1,000 levels";
  const text = `{"success":true,"data":{"a":${"[".repeat(levels)}${"]".repeat(levels)}},"error":null,"meta":{"version":"response-v2"}}`;
  for (const given of [text, JSON.parse(text), lists])
    expect(contract.readEnvelope(given)).toMatchObject({
      success: false,
      error: reason,
      data: { error_code: "INVALID_FORMAT" },
    });
});
