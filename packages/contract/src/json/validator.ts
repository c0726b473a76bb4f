import { z } from "zod";
import { compileSchema, type JsonSchema, type SchemaTest } from "./compile-schema.ts";
import { toJsonPath } from "./json-path.ts";

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

/** A registry of our own: zod's global one would clash when two copies of this package are loaded. */
const names = z.registry<{ id: string }>();

/** Gives a schema its name among the definitions of a JSON Schema. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  names.add(schema, { id });
  return schema;
}

/** Prints a zod schema of the contract as JSON Schema 2020-12. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", metadata: names }) as JsonSchema;
}
