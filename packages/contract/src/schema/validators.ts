import type { z } from "zod";
import { toJsonPath } from "../json/json-path.ts";
import { isRecord } from "../json/json-value.ts";
import { compileSchema, type SchemaTest } from "./compile-schema.ts";
import { envelopeV1Schema } from "./dialect-schemas.ts";
import { envelopeSchema, failureSchema, metaSchema, successSchema } from "./envelope-schemas.ts";
import { toJsonSchema } from "./named.ts";

/** One way in which a value differs from its schema. */
export interface SchemaProblem {
  /** JSON path of the place, `$` being the whole. */
  readonly path: string;
  readonly keys: readonly PropertyKey[];
  readonly message: string;
}

/** Tests values against a schema quickly, and explains at leisure. */
export interface Validator {
  is(value: unknown): boolean;
  problems(value: unknown): SchemaProblem[];
}

/** A validator that compiles on first use: a program that never validates does not pay for it at start. */
export function createValidator(
  schema: z.ZodType,
  explain: (value: unknown) => z.ZodType = () => schema,
): Validator {
  let test: SchemaTest | undefined;
  return {
    is: (value) => {
      test ??= compileSchema(toJsonSchema(schema));
      return test(value);
    },
    problems: (value) => listProblems(explain(value), value),
  };
}

/** What zod finds wrong with a value; empty when nothing is. */
export function listProblems(schema: z.ZodType, value: unknown): SchemaProblem[] {
  return (schema.safeParse(value).error?.issues ?? []).flatMap((issue) => {
    const places =
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return places.map((keys) => ({
      path: toJsonPath(keys as (string | number)[]),
      keys,
      message: issue.message,
    }));
  });
}

/** Validates whole response-v2 envelopes; what is neither success nor failure is explained as a success. */
export const envelopeValidator: Validator = createValidator(envelopeSchema, (value) =>
  isRecord(value) && value["success"] === false ? failureSchema : successSchema,
);

/** Validates `meta` alone. */
export const metaValidator: Validator = createValidator(metaSchema);

/** Validates envelope-v1. */
export const envelopeV1Validator: Validator = createValidator(envelopeV1Schema);
