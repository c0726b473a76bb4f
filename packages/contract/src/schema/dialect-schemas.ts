import { z } from "zod";
import { tiers } from "../dialects/envelope-v1.ts";
import { responseV1SchemaVersion } from "../dialects/response-v1.ts";
import { annotate } from "./annotate.ts";

/** An upgrade hint of envelope-v1. */
export const upgradeHintSchema = annotate(
  z.looseObject({ feature: z.string(), tier: z.string(), reason: z.string() }),
  { id: "UpgradeHint" },
);

/** The error of envelope-v1. */
export const envelopeV1ErrorSchema = annotate(
  z.looseObject({
    error: z.string(),
    error_code: z.string(),
    error_details: z.looseObject({}).nullable(),
  }),
  { id: "EnvelopeV1Error" },
);

/** A whole envelope-v1. */
export const envelopeV1Schema = annotate(
  z.looseObject({
    tier: z.enum(tiers),
    tool_version: z.string(),
    tool_id: z.string(),
    request_id: z.string(),
    capabilities: z.array(z.string()),
    duration_ms: z.number().nullable(),
    error: envelopeV1ErrorSchema.nullable(),
    upgrade_hints: z.array(upgradeHintSchema),
    data: z.unknown(),
  }),
  { description: "envelope-v1: the envelope with tiers and upgrade hints" },
);

/** A whole response-v1 answer. */
export const responseV1Schema = annotate(
  z.looseObject({
    success: z.boolean(),
    schema_version: z.literal(responseV1SchemaVersion),
    error: z.string().optional(),
  }),
  { description: "response-v1: the legacy answer, deprecated" },
);
