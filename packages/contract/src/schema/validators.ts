import type { z } from "zod";
import { toJsonSchema } from "./annotate.ts";
import { type CompiledSchema, compileSchema } from "./compile-schema.ts";
import { envelopeV1Schema } from "./dialect-schemas.ts";
import { envelopeSchema, metaSchema } from "./envelope-schemas.ts";

/** Compiles on first use: a program that never validates does not pay for it at start. */
export function compileLazily(schema: z.ZodType): () => CompiledSchema {
  let compiled: CompiledSchema | undefined;
  return () => {
    compiled ??= compileSchema(toJsonSchema(schema));
    return compiled;
  };
}

/** The validator of whole response-v2 envelopes. */
export const envelopeValidator = compileLazily(envelopeSchema);

/** The validator of `meta` alone, for builders. */
export const metaValidator = compileLazily(metaSchema);

/** The validator of envelope-v1. */
export const envelopeV1Validator = compileLazily(envelopeV1Schema);
