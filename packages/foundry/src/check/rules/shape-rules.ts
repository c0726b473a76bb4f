import { envelopeRules } from "@foundry-mcp/contract";
import type { Rule } from "./rule.ts";

const responseV2 = "response-v2";
const envelopeV1 = "envelope-v1";

/**
 * Rules about the shape of the three dialects. The rules of response-v2 take their level and remedy from the
 * contract's table.
 */
export const shapeRules = {
  "RV2-01": {
    area: responseV2,
    ...envelopeRules.E1,
    title: "An answer is an object with exactly the keys success, data, error and meta",
    breaks: {
      "no-envelope": "answers with plain text instead of an envelope",
      "payload-only": "sends its payload without an envelope",
      "missing-key": "leaves the key error out of every success",
      "extra-key": "adds the key timestamp to the four keys of the envelope",
    },
  },
  "RV2-02": {
    area: responseV2,
    ...envelopeRules.E2,
    title: "error is null on success and a message on failure",
    breaks: {
      "error-on-success": "sends a message in the key error although success is true",
      "empty-error": "sends an empty text in the key error when a call fails",
    },
  },
  "RV2-03": {
    area: responseV2,
    ...envelopeRules.E3,
    title: "data is an object",
    breaks: {
      "data-array": "sends an array instead of an object in the key data of the envelope",
      "data-null": "sends null instead of an object in the key data of a success",
    },
  },
  "RV2-04": {
    area: responseV2,
    ...envelopeRules.E4,
    title: "meta.version is response-v2",
    breaks: { "other-version": 'sends meta.version "response-v3" in otherwise correct envelopes' },
  },
  "RV2-05": {
    area: responseV2,
    ...envelopeRules.E5,
    title: "Reserved keys of meta have the type that the contract gives them",
    breaks: {
      "warnings-text": "sends meta.warnings as one text instead of a list",
      "duration-text": 'sends meta.telemetry.duration_ms as the text "12ms"',
    },
  },
  "RV2-06": {
    area: responseV2,
    ...envelopeRules.E6,
    title: "Optional keys of meta without a value are left out",
    breaks: { "empty-warnings": "sends meta.warnings as an empty list in every answer" },
  },
  "RV2-07": {
    area: responseV2,
    ...envelopeRules.E7,
    title: "Metadata is in meta, not in data",
    breaks: { "meta-in-data": "sends warnings in data._warnings instead of meta.warnings" },
  },
  "RV2-08": {
    area: responseV2,
    ...envelopeRules.E8,
    title: "Keys are in the order of the contract",
    breaks: { "key-order": "writes the key meta before the other keys of the envelope" },
  },
  "RV2-09": {
    area: responseV2,
    ...envelopeRules.E9,
    title: "The text of an answer is JSON",
    breaks: {
      "text-not-json":
        "sends NaN, which is not JSON, in the text of an answer, and null in its structured content",
    },
  },
  "RV2-10": {
    area: responseV2,
    ...envelopeRules.F1,
    title: "error_code, error_type and remediation are texts, details is an object",
    breaks: { "code-number": "sends the number 400 as data.error_code" },
  },
  "RV2-11": {
    area: responseV2,
    ...envelopeRules.F2,
    title: "A failure carries error_code in capitals, error_type and remediation",
    breaks: {
      "no-remediation": "sends a failure without a remediation",
      "code-lower-case": 'sends the error_code "validation_error", in lower case',
    },
  },
  "RV2-12": {
    area: responseV2,
    ...envelopeRules.C1,
    title: "An answer that leaves content out has content_fidelity and its schema version",
    breaks: {
      "no-fidelity-version": "sends meta.content_fidelity without meta.content_fidelity_schema_version",
    },
  },
  "RV2-13": {
    area: responseV2,
    level: "SHOULD",
    title: "error_type is one of the nine error types, and the type of error_code",
    remedy: "Send the error_type that docs/reference/errors.md lists for the code.",
    breaks: {
      "unknown-type": 'sends the error_type "oops", which is not one of the nine error types',
      "wrong-type": 'sends the error_type "internal" with the error_code "VALIDATION_ERROR"',
    },
  },
  "RV2-14": {
    area: responseV2,
    level: "SHOULD",
    title: "Every answer has meta.request_id",
    remedy: "Set meta.request_id to the id that the caller sent, or else to a new id.",
    breaks: { "no-request-id": "sends answers without meta.request_id" },
  },
  "RV2-15": {
    area: responseV2,
    level: "SHOULD",
    title: "The answer to a rate-limited call says when to call again",
    remedy: "Send data.retry_after_seconds and meta.rate_limit with a failure of type rate_limit.",
    breaks: {
      "no-retry-after": "refuses every third call with RATE_LIMIT_EXCEEDED and does not say how long to wait",
    },
  },
  "RV2-16": {
    area: responseV2,
    level: "MUST",
    title: "data is a payload, not another envelope",
    remedy:
      "If a handler returns an envelope, send that envelope as the answer; or make the handler return its payload and throw its failures.",
    breaks: {
      "envelope-in-data": "puts the envelope that its handler returns into the key data of a second envelope",
    },
  },
  "EV1-01": {
    area: envelopeV1,
    level: "MUST",
    title: "An answer is an object with all nine fields of envelope-v1",
    remedy:
      "Send tier, tool_version, tool_id, request_id, capabilities, duration_ms, error, upgrade_hints and data in every answer.",
    breaks: { "ev1-missing-field": "leaves out the key upgrade_hints if there are no upgrade hints" },
  },
  "EV1-02": {
    area: envelopeV1,
    level: "MUST",
    title: "Each field of envelope-v1 has its type",
    remedy: "Send each field with the type that docs/reference/dialects.md lists.",
    breaks: {
      "ev1-unknown-tier": 'sends the tier "gold", which is not a tier of envelope-v1',
      "ev1-version-number": "sends the number 3 as tool_version",
    },
  },
  "EV1-03": {
    area: envelopeV1,
    level: "MUST",
    title: "error is null, or has error, error_code and error_details",
    remedy:
      "Send error as { error, error_code, error_details }; if there are no details, send null as error_details.",
    breaks: { "ev1-error-text": "sends a text instead of an object in the key error" },
  },
  "EV1-04": {
    area: envelopeV1,
    level: "SHOULD",
    title: "error_code is one of the twelve of envelope-v1",
    remedy: "Use one of the codes of docs/reference/dialects.md.",
    breaks: { "ev1-other-code": 'sends the error_code "BadInput", which is not a code of envelope-v1' },
  },
  "EV1-05": {
    area: envelopeV1,
    level: "MUST",
    title: "capabilities lists envelope-v1",
    remedy: 'Put "envelope-v1" into capabilities.',
    breaks: { "ev1-no-capability": "sends an empty list of capabilities" },
  },
  "EV1-06": {
    area: envelopeV1,
    level: "MUST",
    title: "duration_ms is a number of milliseconds at the tiers pro and enterprise",
    remedy: "Measure the call and send duration_ms, a number of at least 0.",
    breaks: { "ev1-no-duration": "sends null as duration_ms at tier pro" },
  },
  "EV1-07": {
    area: envelopeV1,
    level: "SHOULD",
    title: "tool_id is the name of the tool that was called",
    remedy: "Send the name of the tool in tool_id.",
    breaks: { "ev1-other-tool": "sends the name of the server as tool_id" },
  },
  "EV1-08": {
    area: envelopeV1,
    level: "MUST",
    title: "Each upgrade hint has feature, tier and reason",
    remedy: "Send { feature, tier, reason } for each upgrade hint, all three as texts.",
    breaks: { "ev1-hint-text": "sends each upgrade hint as a text instead of an object" },
  },
  "EV1-09": {
    area: envelopeV1,
    level: "SHOULD",
    title: "request_id is not empty, and different for every call",
    remedy: "Use the request id that the caller sent, or create a new one for each call.",
    breaks: { "ev1-same-id": "sends the same request_id with every answer" },
  },
  "RV1-01": {
    area: "response-v1",
    level: "MUST",
    title: 'An answer has success, schema_version "1.0.0" and on failure a message in error',
    remedy: "Send success, schema_version and, on failure, error at the root; or move to response-v2.",
    breaks: { "rv1-no-message": "sends a failure in response-v1 without the key error" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
