import type { z } from "zod";
import type { JsonSchema } from "./compile-schema.ts";
import { envelopeV1Schema, responseV1Schema, upgradeHintSchema } from "./dialect-schemas.ts";
import { digestPayloadSchema, evidenceSnippetSchema } from "./digest-schemas.ts";
import {
  envelopeSchema,
  failureDataSchema,
  failureSchema,
  metaSchema,
  paginationSchema,
  rateLimitSchema,
  successSchema,
  telemetrySchema,
  warningDetailSchema,
} from "./envelope-schemas.ts";
import { toJsonSchema } from "./named.ts";

/** Every shape of the contract by the name of its file: `@foundry-mcp/contract/schema/<name>.json`. */
const schemas = {
  envelope: envelopeSchema,
  success: successSchema,
  failure: failureSchema,
  "failure-data": failureDataSchema,
  meta: metaSchema,
  "warning-detail": warningDetailSchema,
  pagination: paginationSchema,
  "rate-limit": rateLimitSchema,
  telemetry: telemetrySchema,
  "envelope-v1": envelopeV1Schema,
  "upgrade-hint": upgradeHintSchema,
  "response-v1": responseV1Schema,
  "digest-payload": digestPayloadSchema,
  "evidence-snippet": evidenceSnippetSchema,
} as const satisfies Readonly<Record<string, z.ZodType>>;

/** The name of a shape that has a JSON Schema. */
export type SchemaName = keyof typeof schemas;

/** The names of all shapes that have a JSON Schema. */
export const schemaNames = Object.keys(schemas) as readonly SchemaName[];

/** The JSON Schema 2020-12 of a shape, the same as the file that ships. */
export function jsonSchemaOf(name: SchemaName): JsonSchema {
  return toJsonSchema(schemas[name]);
}
