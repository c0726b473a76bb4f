import { Ajv2020 } from "ajv/dist/2020.js";
import fc from "fast-check";
import { countTokens } from "gpt-tokenizer/encoding/o200k_base";
import { describe, expect, it } from "vitest";
import { fitToBudget } from "../budget/fit-to-budget.ts";
import { successResponse } from "../builders/responses.ts";
import { serializeEnvelope } from "../builders/serialize-envelope.ts";
import { fromEnvelopeV1, toEnvelopeV1 } from "../dialects/convert-envelope-v1.ts";
import { envelopeV1Validator } from "../dialects/dialect-schemas.ts";
import { readEnvelope } from "../dialects/read-envelope.ts";
import { checkEnvelope } from "../envelope/check-envelope.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { isSameJson } from "../json/json-value.ts";
import { toJsonSchema } from "../json/validator.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { anyEnvelope, anyEnvelopeV1, anyValue, jsonObject } from "./arbitraries.ts";
import { schemaFiles } from "./schema-files.ts";

// Checks the properties of the quick tests with more runs; PROVE_RUNS sets the number of runs.
const runs = Number(process.env["PROVE_RUNS"] ?? 10_000);

const validate = new Ajv2020({ allowUnionTypes: true }).compile(toJsonSchema(schemaFiles["envelope"]!));

describe("the contract, with many generated values", () => {
  it("response-v2 → envelope-v1 → response-v2 is the identity", () => {
    fc.assert(
      fc.property(anyEnvelope, (envelope) => {
        const wire: unknown = JSON.parse(JSON.stringify(toEnvelopeV1(envelope)));
        return (
          envelopeV1Validator.problems(wire).length === 0 &&
          isSameJson(fromEnvelopeV1(wire as never), envelope)
        );
      }),
      { numRuns: runs },
    );
  });

  it("envelope-v1 → response-v2 → envelope-v1 is the identity", () => {
    fc.assert(
      fc.property(anyEnvelopeV1, (envelope) => {
        const wire = JSON.parse(JSON.stringify(fromEnvelopeV1(envelope))) as Envelope;
        return validate(wire) && isSameJson(toEnvelopeV1(wire), envelope);
      }),
      { numRuns: runs },
    );
  });

  it("every serialized envelope is valid by the schema that ships", () => {
    fc.assert(
      fc.property(
        fc.dictionary(fc.string(), anyValue),
        fc.dictionary(fc.string(), anyValue),
        (data, meta) => {
          return validate(JSON.parse(serializeEnvelope(successResponse(data, { meta }))));
        },
      ),
      { numRuns: runs / 2 },
    );
  });

  it("readEnvelope returns a valid envelope for every value", () => {
    fc.assert(
      fc.property(fc.oneof(fc.anything(), jsonObject, anyEnvelope, anyEnvelopeV1), (json) =>
        checkEnvelope(readEnvelope(json)).every(({ level }) => level !== "MUST"),
      ),
      { numRuns: runs / 2 },
    );
  });

  it("responses of every shape from 1 kB to 10 MB stay in budget by the exact tokenizer", () => {
    const rows = (count: number) =>
      Array.from({ length: count }, (_, id) => ({
        id: `row-${id}`,
        title: `Title ${id}`,
        body: "Some words. ".repeat(8),
      }));
    const shapes: Record<string, (size: number) => object> = {
      "one list": (size) => ({ rows: rows(size / 150) }),
      "two lists": (size) => ({ left: rows(size / 300), right: rows(size / 300) }),
      "one text": (size) => ({ text: "All work and no play. ".repeat(size / 22) }),
      "many texts": (size) =>
        Object.fromEntries(
          Array.from({ length: 20 }, (_, index) => [`text_${index}`, "Words and words. ".repeat(size / 340)]),
        ),
      "a map": (size) => ({ nodes: Object.fromEntries(rows(size / 160).map((row) => [row.id, row])) }),
      "lists in lists": (size) => ({ matrix: Array.from({ length: 30 }, () => rows(size / 4_500)) }),
      numbers: (size) => ({ numbers: Array.from({ length: size / 6 }, (_, index) => index * 7) }),
      emoji: (size) => ({ lines: Array.from({ length: size / 40 }, () => "😀👩‍👩‍👧‍👦🏳️‍🌈") }),
      "long keys": (size) =>
        Object.fromEntries(
          Array.from({ length: size / 110 }, (_, index) => [`${"key_".repeat(25)}${index}`, index]),
        ),
    };
    const table: string[] = [];
    for (const [name, make] of Object.entries(shapes)) {
      for (const size of [1_000, 100_000, 10_000_000]) {
        for (const maxTokens of [500, 20_000]) {
          const data = make(size);
          const { envelope, fidelity, dropped } = fitToBudget(successResponse(data), { maxTokens });
          const text = serializeEnvelope(envelope);
          const exact = countTokens(text);
          expect(validate(JSON.parse(text)), name).toBe(true);
          expect(exact, `${name}, ${size}, ${maxTokens}`).toBeLessThanOrEqual(maxTokens);
          expect(estimateTokens(text), name).toBeLessThanOrEqual(maxTokens);
          expect(dropped === null ? null : dropped.data, name).toBe(dropped === null ? null : data);
          table.push(`${name}, ${size} characters, budget ${maxTokens}: ${fidelity}, ${exact} tokens`);
        }
      }
    }
    process.stdout.write(`${table.join("\n")}\n`);
  });
});
