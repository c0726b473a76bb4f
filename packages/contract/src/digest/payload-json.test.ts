import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { errorResponse } from "../builders/responses.ts";
import { envelopeValidator } from "../envelope/envelope-schemas.ts";
import { isContractError } from "../errors/contract-error.ts";
import { documentBlocks } from "../testing/document-blocks.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { locatorPattern } from "./locator.ts";
import { deserializePayload, serializePayload, validatePayload } from "./payload-json.ts";

const digest = documentBlocks.find(({ shape }) => shape === "digest")?.completed as DigestPayload;
const snippet = digest.evidence_snippets[0]!;

const text = (maxLength: number) => fc.string({ unit: "binary", maxLength });
const ratio = fc.double({ min: 0, max: 1, noNaN: true });
const hex = (length: number) => fc.stringMatching(new RegExp(`^[a-f0-9]{${length}}$`));
const anyPayload: fc.Arbitrary<DigestPayload> = fc.record(
  {
    version: text(5),
    content_type: text(9),
    query_hash: hex(8),
    summary: text(2000),
    key_points: fc.array(text(500), { maxLength: 10 }),
    evidence_snippets: fc.array(
      fc.record(
        {
          text: text(500),
          locator: fc.tuple(fc.nat(), fc.nat()).map(([start, size]) => `char:${start}-${start + size}`),
          relevance_score: ratio,
        },
        { noNullPrototype: true },
      ),
      { maxLength: 10 },
    ),
    original_chars: fc.maxSafeNat(),
    digest_chars: fc.maxSafeNat(),
    compression_ratio: ratio,
    source_text_hash: hex(64).map((hash) => `sha256:${hash}`),
  },
  { noNullPrototype: true },
);

function refusalOf(run: () => unknown) {
  try {
    run();
  } catch (error) {
    if (!isContractError(error)) throw error;
    return { code: error.code, message: error.message, details: error.options.details, error };
  }
  return undefined;
}

const withSnippet = (change: object) => ({
  ...digest,
  evidence_snippets: [snippet, { ...snippet, ...change }],
});
const queryPattern = { pattern: "^[a-f0-9]{8}$" };
const hashPattern = { pattern: "^sha256:[a-f0-9]{64}$" };
const longList = Array.from({ length: 4 }, (_, index) => (index === 3 ? "😀".repeat(501) : "ok"));

describe("validatePayload", () => {
  it("accepts the documented example", () => {
    expect(validatePayload(digest)).toStrictEqual(digest);
  });

  it("fills in defaults, drops unknown keys and does not change the given value", () => {
    const { version: _, content_type: __, ...rest } = digest;
    const given = { ...rest, version: undefined, extra: "x", evidence_snippets: [{ ...snippet, extra: 1 }] };
    const before = structuredClone(given);
    expect(validatePayload(given)).toStrictEqual(digest);
    expect(given).toStrictEqual(before);
  });

  it.each([
    ["another version", { version: "1.1", content_type: "digest/v1; x" }],
    ["counts that do not agree", { original_chars: 0, digest_chars: 9, compression_ratio: 1 }],
    ["nothing in it", { summary: "", key_points: [], evidence_snippets: [] }],
    ["the longest summary", { summary: "x".repeat(2000) }],
    ["the longest summary of emoji", { summary: "😀".repeat(2000) }],
    ["the longest key points", { key_points: Array(10).fill("😀".repeat(500)) }],
    ["the longest snippets", { evidence_snippets: Array(10).fill({ ...snippet, text: "😀".repeat(500) }) }],
    [
      "scores at their ends",
      { evidence_snippets: [0, 1].map((score) => ({ ...snippet, relevance_score: score })) },
    ],
    ["a page", { evidence_snippets: [{ ...snippet, locator: "page:3:char:200-450" }] }],
  ])("accepts %s", (_, change) => {
    expect(validatePayload({ ...digest, ...change })).toStrictEqual({ ...digest, ...change });
  });

  it.each([
    [
      "query_hash: String should match pattern '^[a-f0-9]{8}$'",
      { ...digest, query_hash: "AB12CD34" },
      "pattern",
      queryPattern,
    ],
    [
      "query_hash: String should match pattern '^[a-f0-9]{8}$'",
      { ...digest, query_hash: "ab12cd34\n" },
      "pattern",
      queryPattern,
    ],
    [
      "summary: String should have at most 2000 characters",
      { ...digest, summary: "x".repeat(2001) },
      "maxLength",
      { expected: 2000 },
    ],
    [
      "summary: String should have at most 2000 characters",
      { ...digest, summary: "😀".repeat(2001) },
      "maxLength",
      { expected: 2000 },
    ],
    [
      "key_points[3]: exceeds maximum length of 500 characters",
      { ...digest, key_points: longList },
      "maxLength",
      { expected: 500 },
    ],
    [
      "evidence_snippets[1].relevance_score: Input should be less than or equal to 1",
      withSnippet({ relevance_score: 1.01 }),
      "maximum",
      { expected: 1 },
    ],
    [
      "source_text_hash: String should match pattern '^sha256:[a-f0-9]{64}$'",
      { ...digest, source_text_hash: "sha256:abc" },
      "pattern",
      hashPattern,
    ],
    [
      "evidence_snippets[1].relevance_score: Input should be greater than or equal to 0",
      withSnippet({ relevance_score: -0.1 }),
      "minimum",
      { expected: 0 },
    ],
    [
      "evidence_snippets[1].text: String should have at most 500 characters",
      withSnippet({ text: "😀".repeat(501) }),
      "maxLength",
      { expected: 500 },
    ],
    ["evidence_snippets[1].text: Field required", withSnippet({ text: undefined }), "required", {}],
    [
      `evidence_snippets[1].locator: String should match pattern '${locatorPattern.source}'`,
      withSnippet({ locator: "line:3" }),
      "pattern",
      { pattern: locatorPattern.source },
    ],
    [
      "original_chars: Input should be greater than or equal to 0",
      { ...digest, original_chars: -1 },
      "minimum",
      { expected: 0 },
    ],
    [
      "digest_chars: Input should be greater than or equal to 0",
      { ...digest, digest_chars: -1 },
      "minimum",
      { expected: 0 },
    ],
    [
      "digest_chars: Input should be less than or equal to 9007199254740991",
      { ...digest, digest_chars: 2 ** 53 },
      "maximum",
      { expected: 9007199254740991 },
    ],
    [
      "key_points: List should have at most 10 items",
      { ...digest, key_points: Array(11).fill("") },
      "maxItems",
      { expected: 10 },
    ],
    [
      "key_points: List should have at most 10 items",
      { ...digest, key_points: new Array(2 ** 32 - 1) },
      "maxItems",
      { expected: 10 },
    ],
    [
      "evidence_snippets: List should have at most 10 items",
      { ...digest, evidence_snippets: Array(11).fill(snippet) },
      "maxItems",
      { expected: 10 },
    ],
    ["summary: Field required", { ...digest, summary: undefined }, "required", {}],
  ])("refuses a bad value: %s", (message, value, constraint, wanted) => {
    const first = { field: message.split(":")[0], constraint, ...wanted };
    expect(refusalOf(() => validatePayload(value))).toMatchObject({ code: "VALIDATION_ERROR", message });
    expect(refusalOf(() => validatePayload(value))?.details).toStrictEqual({
      ...first,
      errors: [{ ...first, message }],
    });
  });

  it.each([
    ["version: Input should be a valid string", { ...digest, version: null }, "string"],
    ["content_type: Input should be a valid string", { ...digest, content_type: 1 }, "string"],
    ["summary: Input should be a valid string", { ...digest, summary: ["x"] }, "string"],
    ["key_points: Input should be a valid list", { ...digest, key_points: "x" }, "array"],
    ["key_points[0]: Input should be a valid string", { ...digest, key_points: [null] }, "string"],
    [
      "evidence_snippets: Input should be a valid list",
      { ...digest, evidence_snippets: { 0: snippet, length: 1 } },
      "array",
    ],
    [
      "evidence_snippets[0]: Input should be a valid dictionary",
      { ...digest, evidence_snippets: [[]] },
      "object",
    ],
    ["evidence_snippets[1].locator: Input should be a valid string", withSnippet({ locator: 5 }), "string"],
    [
      "evidence_snippets[1].relevance_score: Input should be a valid number",
      withSnippet({ relevance_score: "1" }),
      "number",
    ],
    [
      "evidence_snippets[1].relevance_score: Input should be a valid number",
      withSnippet({ relevance_score: Number.NaN }),
      "number",
    ],
    ["original_chars: Input should be a valid integer", { ...digest, original_chars: 1.5 }, "integer"],
    ["digest_chars: Input should be a valid number", { ...digest, digest_chars: 5n }, "number"],
    [
      "compression_ratio: Input should be a valid number",
      { ...digest, compression_ratio: Number.POSITIVE_INFINITY },
      "number",
    ],
    ["payload: Input should be a valid dictionary", null, "object"],
    ["payload: Input should be a valid dictionary", [digest], "object"],
    ["payload: Input should be a valid dictionary", JSON.stringify(digest), "object"],
    ["payload: Input should be a valid dictionary", undefined, "object"],
  ])("refuses a wrong type: %s", (message, value, expected) => {
    const first = { field: message.split(":")[0], constraint: "type", expected };
    expect(refusalOf(() => validatePayload(value))).toMatchObject({ code: "INVALID_FORMAT", message });
    expect(refusalOf(() => validatePayload(value))?.details).toStrictEqual({
      ...first,
      errors: [{ ...first, message }],
    });
  });

  it.each(["char:9-3", "char:0-9007199254740992"])(
    "refuses the locator %s, whose form alone is right",
    (locator) => {
      const field = "evidence_snippets[1].locator";
      const expected = "a range of exact integers whose end is not before its start";
      const first = { field, constraint: "format", expected };
      const message = `${field}: Input should be ${expected}`;
      const refusal = refusalOf(() => validatePayload(withSnippet({ locator })));
      expect(refusal).toMatchObject({ code: "INVALID_FORMAT", message });
      expect(refusal?.details).toStrictEqual({ ...first, errors: [{ ...first, message }] });
    },
  );

  it("lists all errors and repeats the first at the top level", () => {
    const refusal = refusalOf(() => validatePayload({ ...digest, query_hash: 1, summary: "x".repeat(2001) }));
    const messages = [
      "query_hash: Input should be a valid string",
      "summary: String should have at most 2000 characters",
    ];
    expect(refusal).toMatchObject({ code: "VALIDATION_ERROR", message: messages.join("; ") });
    expect(refusal?.details).toStrictEqual({
      field: "query_hash",
      constraint: "type",
      expected: "string",
      errors: [
        { field: "query_hash", constraint: "type", expected: "string", message: messages[0] },
        { field: "summary", constraint: "maxLength", expected: 2000, message: messages[1] },
      ],
    });
  });

  it("lists every absent field", () => {
    const refusal = refusalOf(() => validatePayload({}));
    const fields = Object.keys(digest).slice(2);
    expect(refusal?.message).toBe(fields.map((field) => `${field}: Field required`).join("; "));
  });

  it("does not repeat content of the source", () => {
    const secret = "attack at dawn";
    const values = [
      { ...digest, summary: secret.repeat(200), key_points: [secret.repeat(50)], query_hash: secret },
      withSnippet({ text: secret.repeat(50), locator: secret, relevance_score: secret }),
      { ...digest, [secret]: secret, evidence_snippets: secret },
    ];
    for (const value of values) {
      const refusal = refusalOf(() => validatePayload(value));
      expect(
        JSON.stringify([refusal?.message, refusal?.details, String(refusal?.error.cause)]),
      ).not.toContain("dawn");
    }
  });
});

describe("hostile values", () => {
  const throwing = (key: string) =>
    Object.defineProperty({ ...digest }, key, {
      enumerable: true,
      get: () => {
        throw new Error("secret");
      },
    });
  const revoked = (target: object) => {
    const { proxy, revoke } = Proxy.revocable(target, {});
    revoke();
    return proxy;
  };

  it.each([
    ["a getter that throws", throwing("summary")],
    ["a snippet that throws", { ...digest, evidence_snippets: [revoked({})] }],
    ["a list that throws", { ...digest, key_points: revoked([]) }],
    ["a revoked proxy", revoked({})],
  ])("are refused: %s", (_, value) => {
    const message = "payload: Input should be readable";
    const first = { field: "payload", constraint: "type" };
    expect(refusalOf(() => validatePayload(value))?.details).toStrictEqual({
      ...first,
      errors: [{ ...first, message }],
    });
    expect(refusalOf(() => serializePayload(value as DigestPayload))?.message).toBe(message);
  });

  it("cannot reach a prototype", () => {
    const parsed = deserializePayload(`{"__proto__": {"polluted": 1}, ${JSON.stringify(digest).slice(1)}`);
    expect(parsed).toStrictEqual(digest);
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(refusalOf(() => deserializePayload(`{"__proto__": ${JSON.stringify(digest)}}`))?.code).toBe(
      "VALIDATION_ERROR",
    );
  });

  it("are read once, so that a getter cannot return two values", () => {
    let reads = 0;
    const value = Object.defineProperty({ ...digest }, "summary", {
      enumerable: true,
      get: () => (reads++ === 0 ? "short" : "x".repeat(9999)),
    });
    expect(JSON.parse(serializePayload(value))).toStrictEqual({ ...digest, summary: "short" });
  });

  it("throw an error that becomes a valid failure", () => {
    const members = fc.record(Object.fromEntries(Object.keys(digest).map((key) => [key, fc.anything()])), {
      requiredKeys: [],
    });
    const values = fc.oneof(
      fc.anything({ withBigInt: true, withMap: true, withNullPrototype: true }),
      members,
    );
    fc.assert(
      fc.property(values, (value) => {
        const refusal = refusalOf(() => validatePayload(value));
        expect(["VALIDATION_ERROR", "INVALID_FORMAT"]).toContain(refusal?.code);
        const failure = errorResponse(refusal?.message ?? "", refusal?.error.options);
        expect(envelopeValidator.problems(failure)).toStrictEqual([]);
      }),
    );
  });
});

describe("serializePayload", () => {
  it("writes minified JSON in the order of the schema", () => {
    const reversed = Object.fromEntries(
      Object.entries({
        ...digest,
        evidence_snippets: [Object.fromEntries(Object.entries(snippet).reverse())],
      }).reverse(),
    );
    expect(serializePayload(reversed as unknown as DigestPayload)).toBe(
      '{"version":"1.0","content_type":"digest/v1","query_hash":"ab12cd34",' +
        '"summary":"Condensed summary of the source content...",' +
        '"key_points":["First key insight extracted from the document","Second key insight with supporting detail"],' +
        '"evidence_snippets":[{"text":"Exact quote from the source document...","locator":"char:1500-1650","relevance_score":0.85}],' +
        '"original_chars":25000,"digest_chars":2500,"compression_ratio":0.1,' +
        '"source_text_hash":"sha256:abc123def456c68ff99b453c1d30413413422d706483bfa0f98a5e886266e7ae"}',
    );
  });

  it("writes a text that deserializePayload parses to the same payload", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        expect(deserializePayload(serializePayload(payload))).toStrictEqual(payload);
      }),
    );
  });

  it("writes the text that deserializePayload parsed", () => {
    fc.assert(
      fc.property(anyPayload, (payload) => {
        const written = JSON.stringify(payload);
        expect(serializePayload(deserializePayload(written))).toBe(written);
      }),
    );
  });

  it("writes a lone surrogate as U+FFFD", () => {
    const written = serializePayload({ ...digest, summary: "a\ud83d", key_points: ["\ude00b", "😀"] });
    expect(deserializePayload(written)).toStrictEqual({
      ...digest,
      summary: "a\ufffd",
      key_points: ["\ufffdb", "😀"],
    });
    expect(written).not.toContain("\\ud");
  });

  it("refuses a payload that could not be parsed back", () => {
    const refusal = refusalOf(() => serializePayload({ ...digest, compression_ratio: 2 }));
    expect(refusal?.message).toBe("compression_ratio: Input should be less than or equal to 1");
  });
});

describe("deserializePayload", () => {
  it("parses the documented example, completed", () => {
    expect(deserializePayload(JSON.stringify(digest, null, 2))).toStrictEqual(digest);
  });

  it("refuses the documented example as printed, because its hash is shortened", () => {
    const printed = documentBlocks.find(({ shape }) => shape === "digest")?.text ?? "";
    expect(refusalOf(() => deserializePayload(printed))?.message).toBe(
      "source_text_hash: String should match pattern '^sha256:[a-f0-9]{64}$'",
    );
  });

  it.each(["", "{", "attack at dawn", "{'summary': 1}", `${JSON.stringify({})}x`, "x".repeat(1_000_000)])(
    "refuses bad JSON without repeating it (%#)",
    (given) => {
      const first = { field: "payload", constraint: "json" };
      const message = "payload: Invalid JSON";
      const refusal = refusalOf(() => deserializePayload(given));
      expect(refusal).toMatchObject({ code: "INVALID_FORMAT", message });
      expect(refusal?.details).toStrictEqual({ ...first, errors: [{ ...first, message }] });
      expect(refusal?.error.cause).toBeUndefined();
    },
  );

  it("refuses JSON that nests too deeply", () => {
    expect(refusalOf(() => deserializePayload("[".repeat(100_000) + "]".repeat(100_000)))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Cannot read payload: it nests lists and objects deeper than 1,000 levels",
    });
  });

  it.each([[null], [undefined], [5], [digest], [Symbol("x")]])(
    "refuses a value that is no string: %s",
    (given) => {
      expect(refusalOf(() => deserializePayload(given as unknown as string))).toMatchObject({
        code: "INVALID_FORMAT",
        message: "payload: Input should be a valid string",
      });
    },
  );

  it.each(["null", "[]", "5", '"digest"', "true"])("refuses JSON that is no object: %s", (given) => {
    expect(refusalOf(() => deserializePayload(given))?.message).toBe(
      "payload: Input should be a valid dictionary",
    );
  });

  it("refuses texts of a megabyte and names their fields", () => {
    const refusal = refusalOf(() =>
      deserializePayload(JSON.stringify({ ...digest, summary: "x".repeat(1_000_000) })),
    );
    expect(refusal?.message).toBe("summary: String should have at most 2000 characters");
  });
});
