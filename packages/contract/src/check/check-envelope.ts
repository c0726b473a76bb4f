import { isMetaOrdered } from "../envelope/order-meta.ts";
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
    if (isRecord(value)) {
      advise(value, findings);
      if (!isOrdered(value)) findings.push(finding("E8", "$", "keys are out of order"));
    }
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

/**
 * The rules that no schema can fail a value for: what is advised rather than required. Members are read
 * by literal names, which is several times as fast as in a loop over names.
 */
function advise({ success, data, meta }: UnknownRecord, findings: Finding[]): void {
  if (isRecord(data)) {
    const { _meta: misplacedMeta, _warnings: misplacedWarnings } = data;
    if (misplacedMeta !== undefined) findings.push(finding("E7", "$.data._meta", "metadata stands in data"));
    if (misplacedWarnings !== undefined)
      findings.push(finding("E7", "$.data._warnings", "metadata stands in data"));
    if (success === false) adviseFailure(data, findings);
  }
  if (isRecord(meta)) adviseMeta(meta, findings);
}

function adviseFailure(data: UnknownRecord, findings: Finding[]): void {
  for (const key of ["error_code", "error_type", "remediation"]) {
    if (data[key] === undefined) findings.push(finding("F2", "$.data", `${key} is missing`));
  }
  const code = data["error_code"];
  if (typeof code === "string" && !/^[A-Z][A-Z0-9_]*$/.test(code)) {
    findings.push(finding("F2", "$.data.error_code", "the code is not in SCREAMING_SNAKE_CASE"));
  }
}

function adviseMeta(meta: UnknownRecord, findings: Finding[]): void {
  const { warnings, warning_details: details, dropped_content_ids: dropped } = meta;
  if (isEmptyList(warnings)) findings.push(finding("E6", "$.meta.warnings", "the list is empty"));
  if (isEmptyList(details)) findings.push(finding("E6", "$.meta.warning_details", "the list is empty"));
  if (isEmptyList(dropped)) findings.push(finding("E6", "$.meta.dropped_content_ids", "the list is empty"));
  const { content_fidelity: fidelity = "full", content_fidelity_schema_version: version } = meta;
  if (fidelity !== "full" && version === undefined) {
    findings.push(finding("C1", "$.meta", "content_fidelity_schema_version is missing"));
  }
  if (fidelity === "full" && Array.isArray(dropped) && dropped.length > 0) {
    findings.push(finding("C1", "$.meta", "content was dropped, but content_fidelity does not say so"));
  }
  if (!isMetaOrdered(meta)) findings.push(finding("E8", "$.meta", "keys are out of order"));
}

function isEmptyList(value: unknown): boolean {
  return Array.isArray(value) && value.length === 0;
}

const topLevelKeys = ["success", "data", "error", "meta"] as const;

function isOrdered(envelope: UnknownRecord): boolean {
  let next = 0;
  for (const key in envelope) {
    while (next < topLevelKeys.length && topLevelKeys[next] !== key) next += 1;
    if (next === topLevelKeys.length && (topLevelKeys as readonly string[]).includes(key)) return false;
  }
  return true;
}

function finding(rule: RuleId, path: string, message: string): Finding {
  const { level, remedy } = envelopeRules[rule];
  return { rule, level, path, message, remedy };
}
