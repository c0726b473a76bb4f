import { z } from "zod";

/** A JSON Schema 2020-12. */
export type JsonSchema = Readonly<Record<string, unknown>>;

/** One thing that is wrong with a value, as any Standard Schema tells it. */
export interface SchemaIssue {
  readonly message: string;
  readonly path?: readonly (PropertyKey | { readonly key: PropertyKey })[] | undefined;
}

/** What a schema makes of a value. */
export type SchemaResult<Out> =
  | { readonly value: Out; readonly issues?: undefined }
  | { readonly issues: readonly SchemaIssue[] };

/**
 * Any Standard Schema that can print itself as JSON Schema: zod 4, arktype, valibot through its
 * adapter. One that cannot is completed by `withJsonSchema`.
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

/** A schema, or a function that makes it when it is first needed: a command that is not called then costs nothing. */
export type LazySchema<S extends Schema = Schema> = S | (() => S);

/** What a caller may send for a schema. */
export type SchemaInput<S extends Schema> = NonNullable<S["~standard"]["types"]>["input"];

/** What a schema makes of what was sent. */
export type SchemaOutput<S extends Schema> = NonNullable<S["~standard"]["types"]>["output"];

/** A Standard Schema without a JSON Schema of its own. */
type BareSchema<In, Out> = {
  readonly "~standard": Omit<Schema<In, Out>["~standard"], "jsonSchema">;
};

/** Puts a JSON Schema beside a Standard Schema that cannot print one. */
export function withJsonSchema<In, Out>(
  schema: BareSchema<In, Out>,
  jsonSchema: JsonSchema,
): Schema<In, Out> {
  // Its JSON Schema is the author's own, to the letter: no rule for what a library prints applies to it.
  const vendor = "json-schema";
  return {
    "~standard": { ...schema["~standard"], vendor, jsonSchema: { input: () => ({ ...jsonSchema }) } },
  };
}

/** The schema itself; a function is called for it. */
export function resolveSchema<S extends Schema>(lazy: LazySchema<S>): S {
  // Some libraries make schemas that can be called, so that being a function tells nothing.
  if ("~standard" in lazy) return lazy;
  if (typeof lazy === "function") return lazy();
  throw new TypeError("It is no Standard Schema: wrap a bare shape in z.object(…)");
}

const defaultDialect = "https://json-schema.org/draft/2020-12/schema";

/** The JSON Schema of what a caller may send. */
export function toInputJsonSchema(schema: Schema): JsonSchema {
  const { vendor, jsonSchema } = schema["~standard"];
  const json = jsonSchema.input({ target: "draft-2020-12" });
  // zod names the default dialect on every schema: it says nothing, and every client pays for it.
  if (vendor !== "zod" || json["$schema"] !== defaultDialect) return json;
  const { $schema: _, ...rest } = json;
  return rest;
}

type Shape = Readonly<Record<string, z.ZodType>>;

/**
 * An output schema that checks these members at run time and allows others beside them. `T` is the type of the
 * payload for the handler and for `cli.show`.
 */
export const payload = <T extends object = object>(shape: Shape) =>
  z.looseObject(shape) as unknown as z.ZodType<T>;

/** A list of objects that have these members, and may have others. */
export const rows = (shape: Shape) => z.array(z.looseObject(shape));
