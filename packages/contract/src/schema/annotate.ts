import { z } from "zod";
import type { JsonSchema } from "./compile-schema.ts";

/** What a schema says about itself beyond its shape; `$comment` holds the id of the contract's rule. */
interface Note {
  readonly id?: string;
  readonly $comment?: string;
  readonly description?: string;
}

/** A registry of our own: zod's global one would clash when two copies of this package are loaded. */
const notes = z.registry<Note>();

/** Attaches a note that appears in the JSON Schema. */
export function annotate<S extends z.ZodType>(schema: S, note: Note): S {
  notes.add(schema, note);
  return schema;
}

/** Prints a zod schema of the contract as JSON Schema 2020-12. */
export function toJsonSchema(schema: z.ZodType): JsonSchema {
  return z.toJSONSchema(schema, { io: "input", metadata: notes }) as JsonSchema;
}
