import fc from "fast-check";
import { matrixCalls } from "./matrix-calls.ts";

/** A call as a careless or hostile client would send it. */
export interface HostileCall {
  readonly tool: string;
  readonly args: unknown;
}

const nastyText = fc.constantFrom(
  "",
  " ",
  "__proto__",
  "constructor",
  "prototype",
  "toString",
  "hasOwnProperty",
  "then",
  "toJSON",
  "valueOf",
  "~standard",
  "action",
  "\u0000",
  "\ud800",
  "a\udfffb",
  "\u2028",
  "../../etc/passwd",
  "%s%n{{7*7}}",
  "note-00",
  "list",
  "k".repeat(5_000),
);

const shortText = fc.oneof(
  { weight: 4, arbitrary: fc.string({ unit: "grapheme", maxLength: 20 }) },
  { weight: 3, arbitrary: nastyText },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 20 }) },
);

const text = fc.oneof(
  { weight: 9, arbitrary: shortText },
  { weight: 1, arbitrary: fc.constant("x".repeat(100_000)) },
);

const names = [...new Set(matrixCalls.flatMap(({ args = {} }) => Object.keys(args)))];
const key = fc.oneof(fc.constantFrom(...names), nastyText, fc.string({ unit: "binary", maxLength: 8 }));

/** Creates an object with own members, even for names that have a special meaning when they are assigned. */
const toObject = (entries: readonly (readonly [string, unknown])[]) => Object.fromEntries(entries) as object;

const nested = fc.integer({ min: 1, max: 1_500 }).map((depth) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level += 1) value = level % 2 === 0 ? [value] : { value };
  return value;
});

const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: "small", withCrossShrink: true },
    fc.constantFrom(null, true, false, 0, -0, 1e308, Number.MAX_SAFE_INTEGER, {}, []),
    fc.double({ noNaN: true, noDefaultInfinity: true }),
    text,
    nested,
    fc.array(tie("json"), { maxLength: 4 }),
    fc.array(fc.tuple(key, tie("json")), { maxLength: 4 }).map(toObject),
  ),
}));

/** Generates any value that JSON can represent. */
export const jsonValue: fc.Arbitrary<unknown> = json;

/** Generates an object of arguments with problematic names and values. */
export const hostileArguments: fc.Arbitrary<object> = fc
  .array(fc.tuple(key, json), { maxLength: 6 })
  .map(toObject);

const validCalls = matrixCalls.filter(({ tool }) => tool !== "slow");
const knownTool = fc.constantFrom(...new Set(validCalls.map(({ tool }) => tool)), "server");

const toolName = fc.oneof(
  { weight: 6, arbitrary: knownTool },
  { weight: 1, arbitrary: knownTool.map((name) => name.toUpperCase()) },
  { weight: 1, arbitrary: knownTool.map((name) => ` ${name}`) },
  // Over HTTP, a name is part of the URL or a header, and Node itself refuses very long names.
  { weight: 2, arbitrary: shortText },
);

/** Generates a valid call with a single fault, which is likely to be missed. */
const mutatedCall = fc
  .tuple(fc.constantFrom(...validCalls), fc.nat(), key, json)
  .chain(([{ tool, args = {} }, index, name, value]) => {
    const entries = Object.entries(args);
    const [chosen = name] = entries[index % Math.max(1, entries.length)] ?? [];
    const without = entries.filter(([known]) => known !== chosen);
    return fc.constantFrom<HostileCall>(
      { tool, args },
      { tool, args: toObject(without) },
      { tool, args: toObject([...without, [chosen, value]]) },
      { tool, args: toObject([...entries, [name, value]]) },
      { tool, args: toObject([...without, [`${chosen}_`, args[chosen]]]) },
      { tool, args: toObject(entries.map(([known]) => [known, null])) },
    );
  });

/** Generates calls whose arguments are an object, as every transport requires. */
export const hostileCall: fc.Arbitrary<HostileCall> = fc.oneof(
  { weight: 3, arbitrary: fc.record({ tool: toolName, args: hostileArguments }) },
  { weight: 4, arbitrary: mutatedCall },
);

/** Generates arguments that are not an object. */
export const formlessArguments: fc.Arbitrary<unknown> = fc.oneof(
  fc.array(json, { maxLength: 3 }),
  text,
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.boolean(),
  fc.constant(null),
);

/** Generates values that only a caller in the same process can pass, because JSON cannot represent them. */
export const foreignArguments: fc.Arbitrary<unknown> = fc.anything({
  withBigInt: true,
  withDate: true,
  withMap: true,
  withSet: true,
  withNullPrototype: true,
  withSparseArray: true,
  withTypedArray: true,
  withBoxedValues: true,
  key,
});

const requestText =
  '{"jsonrpc":"2.0","id":9999999,"method":"tools/call","params":{"name":"echo","arguments":{"text":"hi"}}}';

/**
 * Generates bytes without a line break. They are invalid JSON, JSON that is not a request, or a truncated or altered
 * request.
 */
export const garbage: fc.Arbitrary<Uint8Array> = fc
  .oneof(
    fc.uint8Array({ maxLength: 100 }),
    jsonValue.map((value) => Buffer.from(JSON.stringify(value))),
    fc.nat(requestText.length).map((length) => Buffer.from(requestText.slice(0, length))),
    fc.tuple(fc.nat(requestText.length - 1), fc.nat(255)).map(([at, byte]) => {
      const bytes = Buffer.from(requestText);
      bytes[at] = byte;
      return bytes;
    }),
    fc
      .constantFrom(
        "[]",
        "{}",
        "null",
        '{"jsonrpc":"1.0"}',
        '{"jsonrpc":"2.0"}',
        `[${requestText}]`,
        "\ufeff{}",
      )
      .map((text) => Buffer.from(text)),
  )
  .map((bytes) => bytes.filter((byte) => byte !== 10 && byte !== 13));

/** Generates the metadata of a request, with ids, trace and progress tokens of every form. */
export const hostileMeta: fc.Arbitrary<object> = fc
  .array(
    fc.tuple(
      fc.oneof(
        fc.constantFrom(
          "foundry-mcp/request_id",
          "foundry-mcp/response_contract",
          "traceparent",
          "tracestate",
          "baggage",
        ),
        key,
      ),
      json,
    ),
    { maxLength: 4 },
  )
  .map(toObject);
