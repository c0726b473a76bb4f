import { z } from "zod";
import { isRecord, toText } from "../json/json-value.ts";
import { envelopeV1Schema, upgradeHintSchema } from "../schema/dialect-schemas.ts";
import { type EnvelopeV1, envelopeV1Capability } from "./envelope-v1.ts";

const text = z.string().catch("");

/** Reads every field as far as it can be read: servers send null for most of them, and some a bare message for the error. */
const lenientSchema = z.looseObject({
  tier: envelopeV1Schema.shape.tier.catch("community"),
  tool_version: text,
  tool_id: text,
  request_id: text,
  capabilities: envelopeV1Schema.shape.capabilities.catch([envelopeV1Capability]),
  duration_ms: envelopeV1Schema.shape.duration_ms.catch(null),
  error: z.unknown().transform((error) => {
    if (error === null || error === undefined) return null;
    const { error: message, error_code, error_details, ...rest } = isRecord(error) ? error : { error };
    return {
      ...rest,
      error: toText(message),
      error_code: typeof error_code === "string" ? error_code : "internal_error",
      error_details: isRecord(error_details) ? error_details : null,
    };
  }),
  upgrade_hints: z
    .array(z.unknown())
    .catch([])
    .transform((hints) => hints.filter((hint) => upgradeHintSchema.safeParse(hint).success)),
});

/** Completes an envelope-v1 whose fields are absent, null or of another type. */
export function repairEnvelopeV1(given: object): EnvelopeV1 {
  return lenientSchema.parse({ error: null, data: null, ...given }) as unknown as EnvelopeV1;
}
