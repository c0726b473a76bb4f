import { envelopeRules } from "@foundry-mcp/contract";
import type { Rule } from "./rule.ts";

const responseV2 = "response-v2";
const envelopeV1 = "envelope-v1";

/** Rules about the shape of the three dialects; those of response-v2 have level and remedy of the contract's table. */
export const shapeRules = {
  "RV2-01": {
    area: responseV2,
    ...envelopeRules.E1,
    title: "An answer is an object with exactly the keys success, data, error and meta",
    breaks: {
      "no-envelope": "answers with plain text and no envelope at all",
      "payload-only": "sends its payload bare, without an envelope around it",
      "missing-key": "leaves error out of a success",
      "extra-key": "adds a fifth key, timestamp, beside the four",
    },
  },
  "RV2-02": {
    area: responseV2,
    ...envelopeRules.E2,
    title: "error is null on success and a message on failure",
    breaks: {
      "error-on-success": "sends a message in error although success is true",
      "empty-error": "sends an empty text in error when a call fails",
    },
  },
  "RV2-03": {
    area: responseV2,
    ...envelopeRules.E3,
    title: "data is an object",
    breaks: { "data-array": "sends a bare array as data", "data-null": "sends null as data on success" },
  },
  "RV2-04": {
    area: responseV2,
    ...envelopeRules.E4,
    title: "meta.version is response-v2",
    breaks: { "other-version": 'sends meta.version "response-v3" in otherwise good envelopes' },
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
    title: "Metadata stands in meta, not in data",
    breaks: { "meta-in-data": "puts _warnings into data" },
  },
  "RV2-08": {
    area: responseV2,
    ...envelopeRules.E8,
    title: "Keys stand in the order of the contract",
    breaks: { "key-order": "writes meta before success" },
  },
  "RV2-09": {
    area: responseV2,
    ...envelopeRules.E9,
    title: "The text of an answer is JSON",
    breaks: { "text-not-json": "writes NaN into the JSON of its text, and null into the structured content" },
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
      "no-remediation": "fails without a remediation",
      "code-lower-case": 'sends "validation_error" in small letters as error_code',
    },
  },
  "RV2-12": {
    area: responseV2,
    ...envelopeRules.C1,
    title: "An answer that leaves something out says its fidelity and the version of that word",
    breaks: {
      "no-fidelity-version": "sends content_fidelity partial without content_fidelity_schema_version",
    },
  },
  "RV2-13": {
    area: responseV2,
    level: "SHOULD",
    title: "error_type is one of the nine, and the one that error_code belongs to",
    remedy: "Send the error_type of docs/reference/errors.md that goes with the code.",
    breaks: {
      "unknown-type": 'sends "oops" as error_type',
      "wrong-type": "sends error_type internal with the code VALIDATION_ERROR",
    },
  },
  "RV2-14": {
    area: responseV2,
    level: "SHOULD",
    title: "meta.request_id stands in every answer",
    remedy: "Set meta.request_id: the caller's id where it sends one, else a new one.",
    breaks: { "no-request-id": "sends no request_id" },
  },
  "RV2-15": {
    area: responseV2,
    level: "SHOULD",
    title: "A throttled call says when to come back",
    remedy: "Send data.retry_after_seconds and meta.rate_limit with a failure of type rate_limit.",
    breaks: { "no-retry-after": "refuses every third call with RATE_LIMIT_EXCEEDED and says no more" },
  },
  "RV2-16": {
    area: responseV2,
    level: "MUST",
    title: "data is a payload, not another envelope",
    remedy:
      "Send an envelope that a handler returns as the answer itself, or make the handler return its payload and throw its failures.",
    breaks: { "envelope-in-data": "puts the envelope that its handler returns into data of a second one" },
  },
  "EV1-01": {
    area: envelopeV1,
    level: "MUST",
    title: "An answer is an object with all nine fields of envelope-v1",
    remedy:
      "Send tier, tool_version, tool_id, request_id, capabilities, duration_ms, error, upgrade_hints and data in every answer.",
    breaks: { "ev1-missing-field": "leaves upgrade_hints out when there are none" },
  },
  "EV1-02": {
    area: envelopeV1,
    level: "MUST",
    title: "Each field of envelope-v1 has its type",
    remedy: "Send each field with the type that docs/reference/dialects.md gives it.",
    breaks: { "ev1-unknown-tier": 'sends the tier "gold"', "ev1-version-number": "sends 3 as tool_version" },
  },
  "EV1-03": {
    area: envelopeV1,
    level: "MUST",
    title: "error is null, or has error, error_code and error_details",
    remedy:
      "Send error as { error, error_code, error_details }, with null for details that there are none of.",
    breaks: { "ev1-error-text": "sends error as a plain text" },
  },
  "EV1-04": {
    area: envelopeV1,
    level: "SHOULD",
    title: "error_code is one of the twelve of envelope-v1",
    remedy: "Use one of the codes of docs/reference/dialects.md.",
    breaks: { "ev1-other-code": 'sends "BadInput" as error_code' },
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
    breaks: { "ev1-hint-text": "sends upgrade hints as texts" },
  },
  "EV1-09": {
    area: envelopeV1,
    level: "SHOULD",
    title: "request_id is not empty, and another one for every call",
    remedy: "Make a new request_id for each call, or take the caller's.",
    breaks: { "ev1-same-id": "sends the same request_id with every answer" },
  },
  "RV1-01": {
    area: "response-v1",
    level: "MUST",
    title: 'An answer has success, schema_version "1.0.0" and on failure a message in error',
    remedy: "Send success, schema_version and, on failure, error at the root; or move to response-v2.",
    breaks: { "rv1-no-message": "sends a failure of response-v1 without error" },
  },
} as const satisfies Readonly<Record<string, Rule>>;
