import { reservedMetaKeys } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/to-meta.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { toJsonValue } from "../json/to-json-value.ts";
import type { SchemaProblem } from "../schema/compile-schema.ts";
import { envelopeValidator } from "../schema/validators.ts";
import { envelopeRules, type RuleId, type RuleLevel } from "./rules.ts";

/** One way in which a value falls short of the contract. */
export interface Finding {
  readonly rule: RuleId;
  readonly level: RuleLevel;
  /** JSON path of the place. */
  readonly path: string;
  readonly message: string;
  readonly remedy: string;
}

/** How closely to look. */
export interface CheckOptions {
  /**
   * Also walk the payload for values that JSON cannot hold (E9). A value that was parsed from JSON
   * cannot hold any, so this is for values that were never written. @default false
   */
  readonly deep?: boolean;
}

/** Holds a value to the rules of response-v2; empty when all of them hold. Never throws. */
export function checkEnvelope(value: unknown, options: CheckOptions = {}): Finding[] {
  try {
    const findings = envelopeValidator().is(value) ? [] : envelopeValidator().problems(value).map(toFinding);
    if (isRecord(value)) findings.push(...advise(value));
    if (options.deep === true) findings.push(...checkPayload(value));
    return findings;
  } catch {
    return [finding("E9", "$", "the value throws when it is read")];
  }
}

/** True when a value breaks no MUST of response-v2. */
export function isEnvelope(value: unknown): boolean {
  try {
    return envelopeValidator().is(value);
  } catch {
    return false;
  }
}

function toFinding({ path, keyword, expected, rule }: SchemaProblem): Finding {
  // An absent top-level key is told by E1, whatever rule its value would be under.
  const id = keyword === "required" && path === "$" ? "E1" : (rule as RuleId);
  return finding(id, path, describe(keyword, expected));
}

function describe(keyword: string, expected: unknown): string {
  if (keyword === "required") return `${String(expected)} is missing`;
  if (keyword === "additionalProperties") return "this key is not part of the envelope";
  return `must have ${keyword} ${typeof expected === "string" ? expected : JSON.stringify(expected)}`;
}

function checkPayload(value: unknown): Finding[] {
  const json = toJsonValue(value);
  return json.ok ? [] : [finding("E9", json.problem.path, `holds ${json.problem.found}`)];
}

/** The rules that no schema can fail a value for: what is advised rather than required. */
function advise(envelope: UnknownRecord): Finding[] {
  const { success, data, meta } = envelope;
  const findings: Finding[] = [];
  if (isRecord(data)) {
    for (const key of ["_meta", "_warnings"]) {
      if (Object.hasOwn(data, key)) findings.push(finding("E7", `$.data.${key}`, "metadata stands in data"));
    }
    if (success === false) findings.push(...adviseFailure(data));
  }
  if (isRecord(meta)) findings.push(...adviseMeta(meta));
  if (isOutOfOrder(envelope, topLevelKeys)) findings.push(finding("E8", "$", "keys are out of order"));
  return findings;
}

const topLevelKeys = ["success", "data", "error", "meta"] as const;

function adviseFailure(data: UnknownRecord): Finding[] {
  const findings: Finding[] = [];
  for (const key of ["error_code", "error_type", "remediation"]) {
    if (!Object.hasOwn(data, key)) findings.push(finding("F2", "$.data", `${key} is missing`));
  }
  const code = data["error_code"];
  if (typeof code === "string" && !/^[A-Z][A-Z0-9_]*$/.test(code)) {
    findings.push(finding("F2", "$.data.error_code", "the code is not in SCREAMING_SNAKE_CASE"));
  }
  return findings;
}

function adviseMeta(meta: UnknownRecord): Finding[] {
  const findings: Finding[] = [];
  for (const key of reservedMetaKeys) {
    const value = meta[key];
    if (Array.isArray(value) && value.length === 0)
      findings.push(finding("E6", `$.meta.${key}`, "the list is empty"));
  }
  const fidelity = meta["content_fidelity"];
  if (
    fidelity !== undefined &&
    fidelity !== "full" &&
    meta["content_fidelity_schema_version"] === undefined
  ) {
    findings.push(finding("C1", "$.meta", "content_fidelity_schema_version is missing"));
  }
  if (
    Array.isArray(meta["dropped_content_ids"]) &&
    meta["dropped_content_ids"].length > 0 &&
    (fidelity ?? "full") === "full"
  ) {
    findings.push(finding("C1", "$.meta", "content was dropped, but content_fidelity does not say so"));
  }
  if (orderMeta(meta as Parameters<typeof orderMeta>[0]) !== meta)
    findings.push(finding("E8", "$.meta", "keys are out of order"));
  return findings;
}

function isOutOfOrder(value: UnknownRecord, order: readonly string[]): boolean {
  let last = -1;
  for (const key in value) {
    const rank = order.indexOf(key);
    if (rank === -1) continue;
    if (rank < last) return true;
    last = rank;
  }
  return false;
}

function finding(rule: RuleId, path: string, message: string): Finding {
  const { level, remedy } = envelopeRules[rule];
  return { rule, level, path, message, remedy };
}
