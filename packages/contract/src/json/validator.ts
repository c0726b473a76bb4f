import { z } from "zod";
import { type ContractSchema, compileSchema, type SchemaTest } from "./compile-schema.ts";
import { toJsonPath } from "./json-path.ts";

/**
 * The names of schemas, in a registry of this module. In zod's global registry, names would collide if two copies of
 * this package are loaded.
 */
const names = z.registry<{ id: string }>();

/** Gives a schema a name, under which JSON Schemas list it in `$defs`. */
export function named<S extends z.ZodType>(id: string, schema: S): S {
  names.add(schema, { id });
  return schema;
}

/** Converts a zod schema of the contract to JSON Schema 2020-12. */
export function toJsonSchema(schema: z.ZodType): ContractSchema {
  return z.toJSONSchema(schema, { io: "input", metadata: names }) as ContractSchema;
}

/** One difference between a value and its schema. */
export interface SchemaProblem {
  /** The JSON path of the difference; `$` is the whole value. */
  readonly path: string;
  readonly keys: readonly PropertyKey[];
  readonly message: string;
}

/** Validates values against a schema: `is` is a fast test, `problems` a slower explanation. */
export interface Validator {
  is(value: unknown): boolean;
  problems(value: unknown): SchemaProblem[];
}

/** Creates a validator that compiles its schema on first use, so that programs that never validate start faster. */
export function createValidator(
  schema: z.ZodType,
  explainWith: (value: unknown) => z.ZodType = () => schema,
): Validator {
  let test: SchemaTest | undefined;
  return {
    is: (value) => {
      test ??= compileSchema(toJsonSchema(schema));
      return test(value);
    },
    problems: (value) => listProblems(explainWith(value), value),
  };
}

/** Lists the problems that zod finds in a value. */
export function listProblems(schema: z.ZodType, value: unknown): SchemaProblem[] {
  return (schema.safeParse(value).error?.issues ?? []).flatMap((issue) => {
    const paths =
      issue.code === "unrecognized_keys" ? issue.keys.map((key) => [...issue.path, key]) : [issue.path];
    return paths.map((keys) => ({
      path: toJsonPath(keys as (string | number)[]),
      keys,
      message: issue.message,
    }));
  });
}
