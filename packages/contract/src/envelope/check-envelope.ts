import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { toJsonValue } from "../json/to-json.ts";
import { reservedMetaKeys } from "./envelope.ts";
import { envelopeValidator } from "./envelope-schemas.ts";
import { isMetaOrdered, isOrderedBy } from "./order-meta.ts";

/** The RFC 2119 level of a rule. */
export type RuleLevel = "MUST" | "SHOULD" | "MAY";

/** One rule of the envelope; docs/reference/envelope.md documents it. */
export interface EnvelopeRule {
  readonly level: RuleLevel;
  readonly remedy: string;
}

/** The rules that `checkEnvelope` checks. */
export const envelopeRules = {
  E1: { level: "MUST", remedy: "Send exactly the keys success, data, error and meta." },
  E2: { level: "MUST", remedy: "Set error to null when success is true, else to a message for a person." },
  E3: { level: "MUST", remedy: "Send {} when there is nothing; put an array or a scalar under a named key." },
  E4: { level: "MUST", remedy: 'Set meta.version to "response-v2".' },
  E5: { level: "MUST", remedy: "Send the key with the type that the contract gives it, or leave it out." },
  E6: { level: "MAY", remedy: "Leave the key out." },
  E7: { level: "SHOULD", remedy: "Move it from data to meta." },
  E8: { level: "MAY", remedy: "Write the keys in the order of the contract." },
  E9: { level: "MUST", remedy: "Return plain JSON values from the tool." },
  F1: { level: "MUST", remedy: "Send code, type and remediation as texts, details as an object." },
  F2: {
    level: "SHOULD",
    remedy: "Send error_code in SCREAMING_SNAKE_CASE, error_type and remediation with every failure.",
  },
  C1: {
    level: "SHOULD",
    remedy: 'Send content_fidelity with content_fidelity_schema_version "1.0" when something is left out.',
  },
} as const satisfies Readonly<Record<string, EnvelopeRule>>;

/** The id of a rule of the envelope. */
export type EnvelopeRuleId = keyof typeof envelopeRules;

/** One violation of a rule of the envelope. */
export interface Finding {
  readonly rule: EnvelopeRuleId;
  readonly level: RuleLevel;
  /** The JSON path of the violation. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** The options of `checkEnvelope`. */
export interface EnvelopeCheckOptions {
  /**
   * Also search the payload for values that JSON cannot represent (E9). Only needed for an envelope that was
   * not parsed from JSON, because JSON text cannot contain values that JSON cannot represent.
   * @default false
   */
  readonly deep?: boolean;
}

const maxFindings = 100;

/** Checks a value against the rules of response-v2 and returns the violations; never throws. */
export function checkEnvelope(value: unknown, options?: EnvelopeCheckOptions): Finding[] {
  const findings: Finding[] = [];
  try {
    if (!envelopeValidator.is(value)) {
      const problems = envelopeValidator.problems(value).slice(0, maxFindings);
      for (const { keys, path, message } of problems) add(findings, toRule(keys, value), path, message);
      if (problems.length === 0) add(findings, "E1", "$", "its keys cannot be listed");
    }
    if (isRecord(value)) checkRecommended(value, findings);
    const json = options?.deep === true ? toJsonValue(value) : undefined;
    if (json?.ok === false) add(findings, "E9", json.problem.path, `holds ${json.problem.found}`);
  } catch {
    add(findings, "E9", "$", "the value throws when it is read");
  }
  return findings;
}

/** Returns the rule that a part of the envelope violates. */
function toRule([top, inner]: readonly PropertyKey[], value: unknown): EnvelopeRuleId {
  if (inner === undefined && (!isRecord(value) || top === undefined || value[top as string] === undefined))
    return "E1";
  if (top === "meta") return inner === "version" ? "E4" : "E5";
  if (top === "data") return inner === undefined ? "E3" : "F1";
  return top === "success" || top === "error" ? "E2" : "E1";
}

/** Adds a violation. A closure over the list would be created for every envelope. */
function add(findings: Finding[], rule: EnvelopeRuleId, path: string, message: string): void {
  findings.push({ rule, path, message, ...envelopeRules[rule] });
}

/**
 * Checks the recommended rules, which the schemas do not express. The code reads members by literal names, because
 * a loop over names takes several times as long.
 */
function checkRecommended(envelope: UnknownRecord, findings: Finding[]): void {
  const { success, data, meta } = envelope;
  if (isRecord(data)) {
    if (data["_meta"] !== undefined) add(findings, "E7", "$.data._meta", "data contains a key of meta");
    if (data["_warnings"] !== undefined)
      add(findings, "E7", "$.data._warnings", "data contains a key of meta");
    if (success === false) checkFailureData(data, findings);
  }
  if (isRecord(meta)) checkMeta(meta, findings);
  if (!isOrderedBy(topLevelKeys, envelope)) add(findings, "E8", "$", "keys are out of order");
}

const topLevelKeys = ["success", "data", "error", "meta"];

function checkFailureData(data: UnknownRecord, findings: Finding[]): void {
  for (const key of ["error_code", "error_type", "remediation"]) {
    if (data[key] === undefined) add(findings, "F2", "$.data", `${key} is missing`);
  }
  const code = data["error_code"];
  if (typeof code === "string" && !/^[A-Z][A-Z0-9_]*$/.test(code))
    add(findings, "F2", "$.data.error_code", "the code is not in capitals");
}

function checkMeta(meta: UnknownRecord, findings: Finding[]): void {
  const { warnings, warning_details: details, dropped_content_ids: dropped } = meta;
  if (isEmptyList(warnings)) add(findings, "E6", "$.meta.warnings", "the list is empty");
  if (isEmptyList(details)) add(findings, "E6", "$.meta.warning_details", "the list is empty");
  if (isEmptyList(dropped)) add(findings, "E6", "$.meta.dropped_content_ids", "the list is empty");
  const { content_fidelity: fidelity = "full", content_fidelity_schema_version: version } = meta;
  const isFull = fidelity === "full";
  if (isFull ? Array.isArray(dropped) && dropped.length > 0 : version === undefined) {
    add(
      findings,
      "C1",
      "$.meta",
      isFull ? "content was dropped at full fidelity" : "content_fidelity_schema_version is missing",
    );
  }
  for (const key in meta) {
    if (meta[key] === null && (reservedMetaKeys as readonly string[]).includes(key))
      add(findings, "E6", `$.meta.${key}`, "the key is null");
  }
  if (!isMetaOrdered(meta)) add(findings, "E8", "$.meta", "keys are out of order");
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}
