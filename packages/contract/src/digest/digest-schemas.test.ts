import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, expectTypeOf, it } from "vitest";
import { z } from "zod";
import { toJsonSchema } from "../json/validator.ts";
import { documentBlocks } from "../testing/document-blocks.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { digestPayloadSchema, evidenceSnippetSchema } from "./digest-schemas.ts";
import { locatorPattern } from "./locator.ts";

const snippetSchema = {
  type: "object",
  properties: {
    text: { type: "string", maxLength: 500 },
    locator: { type: "string", pattern: locatorPattern.source },
    relevance_score: { type: "number", minimum: 0, maximum: 1 },
  },
  required: ["text", "locator", "relevance_score"],
};

const digest = documentBlocks.find(({ shape }) => shape === "digest")?.completed as DigestPayload;
const snippet = documentBlocks.find(({ shape }) => shape === "snippet")?.completed;

describe("the digest schemas", () => {
  it("contain every constraint of the contract", () => {
    const count = { type: "integer", minimum: 0, maximum: Number.MAX_SAFE_INTEGER };
    const { $schema, $defs, ...printed } = z.toJSONSchema(digestPayloadSchema, { io: "input" });
    expect({ $schema, $defs }).toStrictEqual({
      $schema: "https://json-schema.org/draft/2020-12/schema",
      $defs: undefined,
    });
    expect(printed).toStrictEqual({
      type: "object",
      properties: {
        version: { type: "string", default: "1.0" },
        content_type: { type: "string", default: "digest/v1" },
        query_hash: { type: "string", pattern: "^[a-f0-9]{8}$" },
        summary: { type: "string", maxLength: 2000 },
        key_points: { type: "array", maxItems: 10, items: { type: "string", maxLength: 500 } },
        evidence_snippets: { type: "array", maxItems: 10, items: snippetSchema },
        original_chars: count,
        digest_chars: count,
        compression_ratio: { type: "number", minimum: 0, maximum: 1 },
        source_text_hash: { type: "string", pattern: "^sha256:[a-f0-9]{64}$" },
      },
      required: [
        "query_hash",
        "summary",
        "key_points",
        "evidence_snippets",
        "original_chars",
        "digest_chars",
        "compression_ratio",
        "source_text_hash",
      ],
    });
  });

  it("are named in $defs of the printed schema", () => {
    expect(toJsonSchema(digestPayloadSchema)).toMatchObject({
      $ref: "#/$defs/DigestPayload",
      $defs: {
        DigestPayload: { properties: { evidence_snippets: { items: { $ref: "#/$defs/EvidenceSnippet" } } } },
        EvidenceSnippet: snippetSchema,
      },
    });
  });

  it("accept the documented example", () => {
    expect(digestPayloadSchema.parse(digest)).toStrictEqual(digest);
    expect(evidenceSnippetSchema.parse(snippet)).toStrictEqual(snippet);
  });

  it("fill in the defaults and drop unknown keys", () => {
    const { version: _, content_type: __, ...rest } = digest;
    expect(digestPayloadSchema.parse({ ...rest, extra: 1 })).toStrictEqual(digest);
  });

  it.each([
    ["2000 emoji", { summary: "😀".repeat(2000) }, true],
    ["2001 emoji", { summary: "😀".repeat(2001) }, false],
    ["500 emoji", { key_points: ["😀".repeat(500)] }, true],
    ["501 emoji", { key_points: ["😀".repeat(501)] }, false],
    ["2000 halves of a pair", { summary: "\ud83d".repeat(2000) }, true],
    ["2001 halves of a pair", { summary: "\ud83d".repeat(2001) }, false],
  ])("count code points the same way in zod and in the printed schema: %s", (_, change, fits) => {
    const payload = { ...digest, ...change };
    expect(digestPayloadSchema.safeParse(payload).success).toBe(fits);
    expect(new Ajv2020().validate(toJsonSchema(digestPayloadSchema), payload)).toBe(fits);
  });

  it("have the type that the contract declares", () => {
    expectTypeOf<z.output<typeof digestPayloadSchema>>().toExtend<DigestPayload>();
    expectTypeOf<keyof z.output<typeof digestPayloadSchema>>().toEqualTypeOf<keyof DigestPayload>();
  });
});
