import { z } from "zod";
import type { JsonSchema } from "./compile-schema.ts";

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
