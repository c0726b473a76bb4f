import { z } from "zod";

/** A JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One problem of a value, as any Standard Schema reports it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** The result of validating a value. */
export type SchemaResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * Any Standard Schema that can print itself as JSON Schema: zod 4, arktype, valibot through its
 * adapter. `withJsonSchema` adds the JSON Schema to one that cannot.
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

/** A schema, or a function that creates it on first use, so that actions that are not called cost no start time. */
export type LazySchema<S extends Schema = Schema> = S | (() => S);

/** The input type of a schema. */
export type SchemaInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** The output type of a schema. */
export type SchemaOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** A Standard Schema without a JSON Schema of its own. */
type BareSchema<In, Out> = {
  readonly "~standard": Omit<Schema<In, Out>["~standard"], "jsonSchema">;
};

/** Adds a JSON Schema to a Standard Schema that cannot print one. */
export function withJsonSchema<In, Out>(
  schema: BareSchema<In, Out>,
  jsonSchema: JsonSchema,
): Schema<In, Out> {
  // The JSON Schema is used exactly as given: the rules for the output of a library do not apply to it.
  const vendor = "json-schema";
  return {
    "~standard": { ...schema["~standard"], vendor, jsonSchema: { input: () => ({ ...jsonSchema }) } },
  };
}

/** Returns the schema, created by its function if it is lazy. */
export function resolveSchema<S extends Schema>(lazy: LazySchema<S>): S {
  // The schemas of some libraries are callable, so that the type "function" does not mean lazy.
  if ("~standard" in lazy) return lazy;
  if (typeof lazy === "function") return lazy();
  throw new TypeError("It is no Standard Schema: wrap a bare shape in z.object(…)");
}

const defaultDialect = "https://json-schema.org/draft/2020-12/schema";

/** Returns the JSON Schema of the input of a schema. */
export function toInputJsonSchema(schema: Schema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  const json = jsonSchema.input({ target: "draft-2020-12" });
  // zod writes the default dialect into every schema: it is redundant, and every client would pay its tokens.
  if (vendor !== "zod" || json["$schema"] !== defaultDialect) return json;
  const { $schema: _, ...rest } = json;
  return rest;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * Creates an output schema that checks these members at run time and allows others. `T` is the type of the
 * payload for the handler and for `cli.show`.
 */
export const payload = <T extends object = object>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodType<T>;

/** Creates the schema of a list of objects that have these members and may have others. */
export const rows = (shape: Shape) => z.array(z.looseObject(shape));
