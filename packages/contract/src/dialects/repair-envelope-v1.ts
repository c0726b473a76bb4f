import { z } from "zod";
import { envelopeV1ErrorSchema, envelopeV1Schema, upgradeHintSchema } from "../schema/dialect-schemas.ts";
import { type EnvelopeV1, envelopeV1Capability } from "./envelope-v1.ts";

/** Completes an envelope-v1 whose optional fields are absent or null, as some servers send it. */
export function repairEnvelopeV1(given: unknown): EnvelopeV1 {
  const { shape } = envelopeV1Schema;
  const text = z.string().catch("");
  const lenient = z.looseObject({
    tier: shape.tier.catch("community"),
    tool_version: text,
    tool_id: text,
    request_id: text,
    capabilities: shape.capabilities.catch([envelopeV1Capability]),
    duration_ms: shape.duration_ms.catch(null),
    error: envelopeV1ErrorSchema
      .extend({
        error: text,
        error_code: z.string().catch("internal_error"),
        error_details: envelopeV1ErrorSchema.shape.error_details.catch(null),
      })
      .nullable()
      .catch(null),
    upgrade_hints: z.array(upgradeHintSchema).catch([]),
    data: z.unknown().transform((data) => data ?? null),
  });
  return lenient.parse(given) as EnvelopeV1;
}
