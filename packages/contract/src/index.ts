// The response contract as values and pure functions. No I/O, no clock, no randomness, no Node API:
// it runs wherever JavaScript runs. It does not send, store or log anything. Three parts have doors of
// their own, for those who need them: /paging, /budget and /digest.

// The check: what a value lacks to be an envelope.
export { type CheckOptions, checkEnvelope, type Finding, isEnvelope } from "./check/check-envelope.ts";
export { type EnvelopeRule, envelopeRules, type RuleId, type RuleLevel } from "./check/rules.ts";
// Dialects: response-v2 to and from envelope-v1 and response-v1.
export { type Dialect, detectDialect, dialects } from "./dialects/detect-dialect.ts";
export {
  type EnvelopeV1,
  type EnvelopeV1Code,
  type EnvelopeV1Error,
  envelopeV1Capability,
  envelopeV1Codes,
  type Tier,
  tiers,
  type UpgradeHint,
} from "./dialects/envelope-v1.ts";
export { fromEnvelopeV1 } from "./dialects/from-envelope-v1.ts";
export { fromResponseV1 } from "./dialects/from-response-v1.ts";
export { readEnvelope } from "./dialects/read-envelope.ts";
export { type ResponseV1, responseV1SchemaVersion } from "./dialects/response-v1.ts";
export { type ToolIdentity, toEnvelopeV1 } from "./dialects/to-envelope-v1.ts";
export { toResponseV1 } from "./dialects/to-response-v1.ts";
// The envelope: its shape, its builders, its wire form.
export {
  type Envelope,
  type Failure,
  type FailureData,
  type Fidelity,
  fidelityLevels,
  fidelitySchemaVersion,
  type Meta,
  type Pagination,
  type RateLimit,
  reservedMetaKeys,
  responseVersion,
  type Success,
  type Telemetry,
  type WarningDetail,
} from "./envelope/envelope.ts";
export { errorResponse } from "./envelope/error-response.ts";
export { requestIdPattern } from "./envelope/request-id-pattern.ts";
export { type EncodedEnvelope, encodeEnvelope, serializeEnvelope } from "./envelope/serialize-envelope.ts";
export { successResponse } from "./envelope/success-response.ts";
export type {
  MetaOptions,
  PaginationOptions,
  RateLimitOptions,
  TelemetryOptions,
} from "./envelope/to-meta.ts";
// Errors: the catalogue, what is thrown, and what becomes of it.
export { ContractError, type FailureOptions, isContractError } from "./errors/contract-error.ts";
export { type DefinedErrors, defineErrors, type ErrorDefinition } from "./errors/define-errors.ts";
export {
  type ErrorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  errorCatalogue,
} from "./errors/error-catalogue.ts";
export { type ErrorType, type ErrorTypeEntry, errorTypes, type RetryAdvice } from "./errors/error-types.ts";
export {
  cancelled,
  conflict,
  duplicateEntry,
  featureDisabled,
  forbidden,
  internal,
  notFound,
  rateLimited,
  timedOut,
  unauthorized,
  unavailable,
  upgradeRequired,
} from "./errors/failures.ts";
export type { FieldError } from "./errors/field-error.ts";
export { type FailureContext, fromUnknown } from "./errors/from-unknown.ts";
export { type ProblemDetails, toProblemDetails } from "./errors/problem-details.ts";
export { isRetryable, type RetryOptions, retryAdvice, retryAfter, toHttpStatus } from "./errors/retry.ts";
export { validationError } from "./errors/validation-error.ts";
// JSON: what an answer may hold.
export type { JsonObject, JsonValue, UnknownRecord } from "./json/json-value.ts";
export { type JsonText, toJsonText } from "./json/to-json-text.ts";
export type { JsonProblem } from "./json/to-json-value.ts";
// Schemas: every shape in zod and in JSON Schema 2020-12.
export type { JsonSchema } from "./schema/compile-schema.ts";
export {
  envelopeV1ErrorSchema,
  envelopeV1Schema,
  responseV1Schema,
  upgradeHintSchema,
} from "./schema/dialect-schemas.ts";
export {
  envelopeSchema,
  envelopeSchemaOf,
  failureDataSchema,
  failureSchema,
  metaSchema,
  paginationSchema,
  problemDetailsSchema,
  rateLimitSchema,
  successSchema,
  successSchemaOf,
  telemetrySchema,
  warningDetailSchema,
} from "./schema/envelope-schemas.ts";
export { toJsonSchema } from "./schema/named.ts";
// Warnings: what did not stop an answer.
export {
  type Severity,
  severities,
  type WarningCode,
  warning,
  warningCatalogue,
} from "./warnings/warnings.ts";
