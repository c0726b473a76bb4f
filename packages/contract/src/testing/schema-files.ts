import type { z } from "zod";
import {
  envelopeV1ErrorSchema,
  envelopeV1Schema,
  responseV1Schema,
  upgradeHintSchema,
} from "../dialects/dialect-schemas.ts";
import { digestPayloadSchema, evidenceSnippetSchema } from "../digest/digest-schemas.ts";
import {
  envelopeSchema,
  failureDataSchema,
  failureSchema,
  metaSchema,
  paginationSchema,
  problemDetailsSchema,
  rateLimitSchema,
  successSchema,
  telemetrySchema,
  warningDetailSchema,
} from "../envelope/envelope-schemas.ts";

/** The schema of every shape of the contract, by file name: `@foundry-mcp/contract/schema/<name>.json`. */
export const schemaFiles: Readonly<Record<string, z.ZodType>> = {
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
  "envelope-v1-error": envelopeV1ErrorSchema,
  "upgrade-hint": upgradeHintSchema,
  "problem-details": problemDetailsSchema,
  "response-v1": responseV1Schema,
  "digest-payload": digestPayloadSchema,
  "evidence-snippet": evidenceSnippetSchema,
};
