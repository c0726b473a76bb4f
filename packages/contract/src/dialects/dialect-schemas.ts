import { z } from "zod";
import { tiers } from "../errors/error-types.ts";
import { createValidator, named, type Validator } from "../json/validator.ts";
import { responseV1SchemaVersion } from "./response-v1.ts";

const text = z.string();

/** The schema of `UpgradeHint`. */
export const upgradeHintSchema = named(
  "UpgradeHint",
  z.looseObject({ feature: text, tier: text, reason: text }),
);

/** The schema of the error of envelope-v1. */
export const envelopeV1ErrorSchema = named(
  "EnvelopeV1Error",
  z.looseObject({ error: text, error_code: text, error_details: z.looseObject({}).nullable() }),
);

/** The schema of a complete envelope-v1. */
export const envelopeV1Schema = z.looseObject({
  tier: z.enum(tiers),
  tool_version: text,
  tool_id: text,
  request_id: text,
  capabilities: z.array(text),
  duration_ms: z.number().nullable(),
  error: envelopeV1ErrorSchema.nullable(),
  upgrade_hints: z.array(upgradeHintSchema),
  data: z.unknown(),
});

/** The schema of a complete response-v1 response. */
export const responseV1Schema = z.looseObject({
  success: z.boolean(),
  schema_version: z.literal(responseV1SchemaVersion),
  error: text.optional(),
});

/** Validates envelope-v1. */
export const envelopeV1Validator: Validator = createValidator(envelopeV1Schema);
