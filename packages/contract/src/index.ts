// The response contract as values and pure functions. The contract code uses no I/O, clock, randomness or
// Node API, so it runs in every JavaScript runtime. Three parts have their own entry points: /paging, /budget
// and /digest.

// Builders: functions that create the envelope of a success, a failure or a thrown value, and the JSON text of an
// envelope.
export { type FailureContext, fromUnknown } from "./builders/from-unknown.ts";
export { errorResponse, successResponse } from "./builders/responses.ts";
export { type EncodedEnvelope, encodeEnvelope, serializeEnvelope } from "./builders/serialize-envelope.ts";
// Dialects: conversion between response-v2, envelope-v1 and response-v1.
export { fromEnvelopeV1, type ToolIdentity, toEnvelopeV1 } from "./dialects/convert-envelope-v1.ts";
export { type Dialect, detectDialect, dialects } from "./dialects/detect-dialect.ts";
export {
  envelopeV1ErrorSchema,
  envelopeV1Schema,
  responseV1Schema,
  upgradeHintSchema,
} from "./dialects/dialect-schemas.ts";
export {
  type EnvelopeV1,
  type EnvelopeV1Error,
  envelopeV1Capability,
  type UpgradeHint,
} from "./dialects/envelope-v1.ts";
export { readEnvelope } from "./dialects/read-envelope.ts";
export {
  fromResponseV1,
  type ResponseV1,
  toResponseV1,
} from "./dialects/response-v1.ts";
// The envelope: its rules, shapes, schemas, options and warnings.
export {
  checkEnvelope,
  type EnvelopeCheckOptions,
  type EnvelopeRule,
  type EnvelopeRuleId,
  envelopeRules,
  type Finding,
  type RuleLevel,
} from "./envelope/check-envelope.ts";
export {
  type Envelope,
  type Failure,
  type FailureData,
  type Fidelity,
  fidelityLevels,
  type Meta,
  type Pagination,
  type RateLimit,
  requestIdPattern,
  reservedMetaKeys,
  responseVersion,
  type Success,
  type Telemetry,
} from "./envelope/envelope.ts";
export {
  envelopeSchema,
  envelopeSchemaOf,
  failureDataSchema,
  failureSchema,
  isEnvelope,
  metaSchema,
  paginationSchema,
  problemDetailsSchema,
  rateLimitSchema,
  successSchema,
  successSchemaOf,
  telemetrySchema,
  warningDetailSchema,
} from "./envelope/envelope-schemas.ts";
export type {
  MetaOptions,
  PaginationOptions,
  RateLimitOptions,
  TelemetryOptions,
} from "./envelope/meta-options.ts";
export {
  type Severity,
  severities,
  type WarningCode,
  type WarningDetail,
  warning,
  warningCatalogue,
} from "./envelope/warnings.ts";
// Errors: the catalogue, ContractError and its constructors, HTTP status and retry advice.
export { ContractError, type FailureOptions, isContractError } from "./errors/contract-error.ts";
export { type DefinedErrors, defineErrors, type ErrorDefinition } from "./errors/define-errors.ts";
export {
  type ErrorCatalogue,
  type ErrorCode,
  type ErrorEntry,
  errorCatalogue,
} from "./errors/error-catalogue.ts";
export {
  type EnvelopeV1Code,
  type ErrorType,
  type ErrorTypeEntry,
  envelopeV1Codes,
  errorTypes,
  type RetryAdvice,
  type Tier,
  tiers,
} from "./errors/error-types.ts";
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
export { type ProblemDetails, toProblemDetails } from "./errors/problem-details.ts";
export {
  type DescribeRemedy,
  describeRemedy,
  type NamedParameter,
  type Remedy,
  type RemedyCall,
} from "./errors/remedy.ts";
export { isRetryable, type RetryOptions, retryAdvice, retryAfter, toHttpStatus } from "./errors/retry.ts";
export { type FieldError, validationError } from "./errors/validation-error.ts";
// JSON: types of values, conversion to text, and JSON Schema 2020-12.
export type { ContractSchema } from "./json/compile-schema.ts";
export { toJsonPath } from "./json/json-path.ts";
export { isRecord, type JsonObject, type JsonValue, type UnknownRecord } from "./json/json-value.ts";
export { type JsonProblem, type JsonText, toJsonText } from "./json/to-json.ts";
export { toJsonSchema } from "./json/validator.ts";
