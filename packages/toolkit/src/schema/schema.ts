import { z } from "zod";

/** A JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One problem of a value, in the form of Standard Schema. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of validating a value. */
export type SchemaResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * A Standard Schema that can be converted to JSON Schema, such as a schema of zod 4, arktype or valibot (with its
 * adapter). For other libraries, `withJsonSchema` adds the JSON Schema.
 */
export interface Schema<In = unknown, Out = In> {
  readonly "~standard": {
    readonly version: 1;
    readonly vendor: string;
    readonly validate: (value: unknown) => SchemaResult<Out> | Promise<SchemaResult<Out>>;
    readonly types?: { readonly input: In; readonly output: Out } | undefined;
    readonly jsonSchema: {
      readonly input: (options: { readonly target: "draft-2020-12" }) => Record<string, unknown>;
    };
  };
}

/** A schema, or a function that creates the schema on first use, so that unused actions do not delay the start. */
export type LazySchema<S extends Schema = Schema> = S | (() => S);

/** The input type of a schema. */
export type SchemaInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** The output type of a schema. */
export type SchemaOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** A Standard Schema without a JSON Schema. */
type BareSchema<In, Out> = {
  readonly "~standard": Omit<Schema<In, Out>["~standard"], "jsonSchema">;
};

/** Adds a JSON Schema to a Standard Schema that cannot be converted to JSON Schema. */
export function withJsonSchema<In, Out>(
  schema: BareSchema<In, Out>,
  jsonSchema: JsonSchema,
): Schema<In, Out> {
  // For this vendor, the JSON Schema is used exactly as passed. The adjustments for the JSON Schemas that a
  // library generates do not apply.
  const vendor = "json-schema";
  return {
    "~standard": { ...schema["~standard"], vendor, jsonSchema: { input: () => ({ ...jsonSchema }) } },
  };
}

/** Returns the schema; a lazy schema is created by calling its function. */
export function resolveSchema<S extends Schema>(lazy: LazySchema<S>): S {
  // The schemas of some libraries are callable, so the type "function" does not imply a lazy schema.
  if ("~standard" in lazy) return lazy;
  if (typeof lazy === "function") return lazy();
  throw new TypeError("It is not a Standard Schema: wrap a bare shape in z.object(…)");
}

const defaultDialect = "https://json-schema.org/draft/2020-12/schema";

/** Returns the JSON Schema of the input of a schema. */
export function toInputJsonSchema(schema: Schema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  const json = jsonSchema.input({ target: "draft-2020-12" });
  // zod writes the default dialect into every schema, which is redundant and would cost every client tokens.
  if (vendor !== "zod" || json["$schema"] !== defaultDialect) return json;
  const { $schema: _, ...rest } = json;
  return rest;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Creates an output schema that checks these members at run time and allows other members. `T` is the type of the
 * payload in the handler and in `cli.show`.
 */
export const payload = <T extends object = object>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodType<T>;

/** Creates the schema of a list of objects; the objects have these members and may have others. */
export const rows = (shape: Shape) => z.array(z.looseObject(shape));
