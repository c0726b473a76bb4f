import { z } from "zod";
import { isRecord } from "../json/json-value.ts";
import { createValidator, named, type Validator } from "../json/validator.ts";
import {
  type Envelope,
  fidelityLevels,
  fidelitySchemaVersion,
  requestIdPattern,
  responseVersion,
} from "./envelope.ts";
import { severities } from "./warnings.ts";

const count = z.int().min(0);
const text = z.string();
const anyObject = z.looseObject({});

/** The schema of `meta.warning_details[]`. */
export const warningDetailSchema = named(
  "WarningDetail",
  z.looseObject({
    code: text.optional(),
    severity: z.enum(severities).optional(),
    message: text,
    context: anyObject.optional(),
  }),
);

/** The schema of `meta.pagination`. */
export const paginationSchema = named(
  "Pagination",
  z.looseObject({
    cursor: text.nullable(),
    has_more: z.boolean(),
    total_count: count.optional(),
    page_size: count,
  }),
);

/** The schema of `meta.rate_limit`. */
export const rateLimitSchema = named(
  "RateLimit",
  z.looseObject({
    limit: z.number().min(0),
    remaining: z.number().min(0),
    reset_at: z.iso.datetime({ offset: true, local: true }),
    period: text.optional(),
    retry_after: z.number().min(0).optional(),
  }),
);

/** The schema of `meta.telemetry`. */
export const telemetrySchema = named(
  "Telemetry",
  z.looseObject({ duration_ms: z.number().min(0).optional() }),
);

/** The schema of `meta`. Optional keys may be null, because old servers send null. */
export const metaSchema = named(
  "Meta",
  z.looseObject({
    version: z.literal(responseVersion),
    request_id: text.regex(requestIdPattern).nullish(),
    warnings: z.array(text).nullish(),
    warning_details: z.array(warningDetailSchema).nullish(),
    pagination: paginationSchema.nullish(),
    rate_limit: rateLimitSchema.nullish(),
    telemetry: telemetrySchema.nullish(),
    content_fidelity_schema_version: z.literal(fidelitySchemaVersion).nullish(),
    content_fidelity: z.enum(fidelityLevels).nullish(),
    dropped_content_ids: z.array(text).nullish(),
    content_archive_hashes: z.record(text, text.regex(/^sha256:/)).nullish(),
  }),
);

/** The schema of the `data` of a failure. */
export const failureDataSchema = named(
  "FailureData",
  z.looseObject({
    error_code: text.regex(/\S/).optional(),
    error_type: text.regex(/\S/).optional(),
    remediation: text.optional(),
    details: anyObject.optional(),
  }),
);

/** The schema of RFC 9457 problem details in the form that `toProblemDetails` writes. */
export const problemDetailsSchema = z.looseObject({
  type: text,
  title: text,
  status: count,
  detail: text,
  instance: text.optional(),
  error_code: text,
});

/** Creates the schema of a success with the given payload. */
export function successSchemaOf<T extends z.ZodType>(data: T) {
  return z.strictObject({ success: z.literal(true), data, error: z.null(), meta: metaSchema });
}

/** The schema of a success with any payload. */
export const successSchema = named("Success", successSchemaOf(anyObject));

/** The schema of a failure. */
export const failureSchema = named(
  "Failure",
  z.strictObject({
    success: z.literal(false),
    data: failureDataSchema,
    error: text.regex(/\S/),
    meta: metaSchema,
  }),
);

/** Creates the schema of an envelope whose successes have the given payload. */
export function envelopeSchemaOf<T extends z.ZodType>(data: T) {
  return z.discriminatedUnion("success", [successSchemaOf(data), failureSchema]);
}

/** The schema of a complete response-v2 envelope. */
export const envelopeSchema = z.discriminatedUnion("success", [successSchema, failureSchema]);

/**
 * Validates complete response-v2 envelopes. If `success` is neither true nor false, the problems are listed with the
 * schema of a success.
 */
export const envelopeValidator: Validator = createValidator(envelopeSchema, (value) =>
  isRecord(value) && value["success"] === false ? failureSchema : successSchema,
);

/** Validates only `meta`. */
export const metaValidator: Validator = createValidator(metaSchema);

/** Returns true if a value is a valid response-v2 envelope. The members of a success's payload are not validated. */
export function isEnvelope(value: unknown): value is Envelope {
  try {
    return envelopeValidator.is(value);
  } catch {
    return false;
  }
}
