import { z } from "zod";
import { fidelityLevels, fidelitySchemaVersion, responseVersion } from "../envelope/envelope.ts";
import { severities } from "../warnings/warnings.ts";
import { annotate } from "./annotate.ts";

const count = z.int().min(0);
const anyObject = z.looseObject({});
const timestamp = z.iso.datetime({ offset: true, local: true });

/** `meta.warning_details[]`. */
export const warningDetailSchema = annotate(
  z.looseObject({
    code: z.string().optional(),
    severity: z.enum(severities).optional(),
    message: z.string(),
    context: anyObject.optional(),
  }),
  { id: "WarningDetail" },
);

/** `meta.pagination`. */
export const paginationSchema = annotate(
  z.looseObject({
    cursor: z.string().nullable(),
    has_more: z.boolean(),
    total_count: count.optional(),
    page_size: count,
  }),
  { id: "Pagination" },
);

/** `meta.rate_limit`. */
export const rateLimitSchema = annotate(
  z.looseObject({
    limit: z.number().min(0),
    remaining: z.number().min(0),
    reset_at: timestamp,
    period: z.string().optional(),
    retry_after: z.number().min(0).optional(),
  }),
  { id: "RateLimit" },
);

/** `meta.telemetry`. */
export const telemetrySchema = annotate(z.looseObject({ duration_ms: z.number().min(0).optional() }), {
  id: "Telemetry",
});

/** The form of a request id. */
export const requestIdSchema = z.string().regex(/^[A-Za-z0-9_-]{1,128}$/);

/** `meta`. */
export const metaSchema = annotate(
  z.looseObject({
    version: annotate(z.literal(responseVersion), { $comment: "E4" }),
    request_id: requestIdSchema.optional(),
    warnings: z.array(z.string()).optional(),
    warning_details: z.array(warningDetailSchema).optional(),
    pagination: paginationSchema.optional(),
    rate_limit: rateLimitSchema.optional(),
    telemetry: telemetrySchema.optional(),
    content_fidelity_schema_version: z.literal(fidelitySchemaVersion).optional(),
    content_fidelity: z.enum(fidelityLevels).optional(),
    dropped_content_ids: z.array(z.string()).optional(),
    content_archive_hashes: z.record(z.string(), z.string().regex(/^sha256:/)).optional(),
  }),
  { id: "Meta", $comment: "E5" },
);

/** `data` of a failure. */
export const failureDataSchema = annotate(
  z.looseObject({
    error_code: z.string().min(1).optional(),
    error_type: z.string().min(1).optional(),
    remediation: z.string().optional(),
    details: anyObject.optional(),
  }),
  { id: "FailureData", $comment: "F1" },
);

/** A success whose payload is described by the given schema. */
export function successSchemaOf<T extends z.ZodType>(data: T) {
  return z.strictObject({
    success: annotate(z.literal(true), { $comment: "E2" }),
    data,
    error: annotate(z.null(), { $comment: "E2" }),
    meta: metaSchema,
  });
}

/** A failure. */
export const failureSchema = annotate(
  z.strictObject({
    success: annotate(z.literal(false), { $comment: "E2" }),
    data: failureDataSchema,
    error: annotate(z.string().regex(/\S/), { $comment: "E2" }),
    meta: metaSchema,
  }),
  { id: "Failure", $comment: "E1" },
);

/** A success with any payload. */
export const successSchema = annotate(successSchemaOf(annotate(z.looseObject({}), { $comment: "E3" })), {
  id: "Success",
  $comment: "E1",
});

/** A whole response-v2 envelope. */
export const envelopeSchema = annotate(z.discriminatedUnion("success", [successSchema, failureSchema]), {
  $comment: "E1",
  description: "response-v2: one answer for every MCP tool",
});

/** A response-v2 envelope whose successes carry the given payload. */
export function envelopeSchemaOf<T extends z.ZodType>(data: T) {
  return z.discriminatedUnion("success", [successSchemaOf(data), failureSchema]);
}
