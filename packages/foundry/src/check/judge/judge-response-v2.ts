import {
  checkEnvelope,
  detectDialect,
  type envelopeRules,
  errorCatalogue,
  errorTypes,
  isRecord,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { Evidence } from "../findings/ledger.ts";
import type { CheckerRuleId } from "../rules/rules.ts";

/** Describes how a value breaks a rule. */
export type Violation = Pick<Evidence, "message" | "path">;

/** A rule that a value was checked against, with the violation if the rule is broken. */
export type RuleOutcome = readonly [rule: CheckerRuleId, violation: Violation | undefined];

/** The outcomes of all rules that a value was checked against. */
export type RuleOutcomes = readonly RuleOutcome[];

/** Ids of the contract's own rules in the checker's table. */
const contractRules = {
  E1: "RV2-01",
  E2: "RV2-02",
  E3: "RV2-03",
  E4: "RV2-04",
  E5: "RV2-05",
  E6: "RV2-06",
  E7: "RV2-07",
  E8: "RV2-08",
  E9: "RV2-09",
  F1: "RV2-10",
  F2: "RV2-11",
  C1: "RV2-12",
} as const satisfies Readonly<Record<keyof typeof envelopeRules, CheckerRuleId>>;

/** Checks a value against the shape of response-v2. */
export function judgeResponseV2(value: unknown): RuleOutcomes {
  const isOther = (detectDialect(value) ?? "response-v2") !== "response-v2";
  if (isOther || !isEnvelopeLike(value))
    return [["RV2-01", { path: "$", message: describeNonEnvelope(value) }]];
  const findings = checkEnvelope(value);
  const outcomes: RuleOutcome[] = [];
  for (const [key, rule] of Object.entries(contractRules)) {
    if (key === "E9" || !applies(key, value)) continue;
    const broken = findings.filter((finding) => finding.rule === key);
    if (broken.length === 0) outcomes.push([rule, undefined]);
    // Each surplus key has its own finding, but the message of each finding names all surplus keys.
    const first = broken.find(({ message }) => isSurplus(message));
    const reported = broken.filter((each) => each === first || !isSurplus(each.message));
    for (const { path, message } of reported) outcomes.push([rule, { path, message }]);
  }
  const { data, meta } = value;
  if (isRecord(meta)) {
    const hasId = typeof meta["request_id"] === "string" && meta["request_id"] !== "";
    outcomes.push(["RV2-14", hasId ? undefined : { path: "$.meta", message: "request_id is missing" }]);
  }
  if (isRecord(data)) outcomes.push(["RV2-16", nestedViolation(data)]);
  if (value["success"] === false && isRecord(data)) outcomes.push(...judgeFailure(data, meta));
  return outcomes;
}

/**
 * Keys that together identify a payload as an envelope. A subset of these keys could also occur in an ordinary
 * payload.
 */
const nestedKeys = {
  "response-v2": ["success", "data", "error", "meta"],
  "envelope-v1": ["tier", "tool_id", "request_id", "capabilities", "error", "data"],
} as const;

/**
 * Reports an envelope inside `data`. A caller would take such an answer for a success, even if the inner envelope is
 * a failure.
 */
function nestedViolation(data: UnknownRecord): Violation | undefined {
  const dialect = detectDialect(data);
  if (dialect === null || dialect === "response-v1") return undefined;
  if (!nestedKeys[dialect].every((key) => Object.hasOwn(data, key))) return undefined;
  const isFailure = dialect === "response-v2" ? data["success"] === false : data["error"] !== null;
  const message = `data is an envelope of ${dialect}, ${isFailure ? "a failure" : "a success"}`;
  return { path: "$.data", message };
}

function judgeFailure(data: UnknownRecord, meta: unknown): RuleOutcome[] {
  const { error_code: code, error_type: type } = data;
  const outcomes: RuleOutcome[] = [];
  if (typeof type === "string") outcomes.push(["RV2-13", typeViolation(code, type)]);
  if (type === "rate_limit") {
    const hasDelay = typeof data["retry_after_seconds"] === "number";
    const hasLimit = isRecord(meta) && isRecord(meta["rate_limit"]);
    const missing = [
      ...(hasDelay ? [] : ["data.retry_after_seconds"]),
      ...(hasLimit ? [] : ["meta.rate_limit"]),
    ];
    const message = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`;
    outcomes.push(["RV2-15", missing.length === 0 ? undefined : { path: "$", message }]);
  }
  return outcomes;
}

function typeViolation(code: unknown, type: string): Violation | undefined {
  const path = "$.data.error_type";
  if (!Object.hasOwn(errorTypes, type)) return { path, message: `"${type}" is none of the nine error types` };
  if (typeof code !== "string" || !Object.hasOwn(errorCatalogue, code)) return undefined;
  const { type: wanted } = errorCatalogue[code as keyof typeof errorCatalogue];
  return wanted === type ? undefined : { path, message: `${code} is of type ${wanted}, not ${type}` };
}

function isSurplus(message: string): boolean {
  return message.startsWith("Unrecognized key");
}

/**
 * Returns false for a rule about failures if the envelope is a success, and for a rule about reduced answers if the
 * answer is not reduced.
 */
function applies(key: string, { success, meta }: UnknownRecord): boolean {
  if (key === "F1" || key === "F2") return success === false;
  if (key !== "C1") return true;
  return (
    isRecord(meta) && (meta["content_fidelity"] !== undefined || meta["dropped_content_ids"] !== undefined)
  );
}

/**
 * Returns true for an object that has at least two of the envelope's keys, because such an object seems intended as
 * an envelope.
 */
function isEnvelopeLike(value: unknown): value is UnknownRecord {
  if (!isRecord(value)) return false;
  return ["success", "data", "error", "meta"].filter((key) => Object.hasOwn(value, key)).length >= 2;
}

/** Describes a value that is not an envelope, and points to where the envelope may be. */
export function describeNonEnvelope(value: unknown): string {
  if (value === undefined) return "the answer is no envelope: it holds no JSON";
  if (!isRecord(value)) return `the answer is no envelope: it is ${nameOf(value)}`;
  const dialect = detectDialect(value);
  if (dialect !== null) return `the answer is an envelope of ${dialect}`;
  if (value["jsonrpc"] === "2.0")
    return "this is a message of JSON-RPC: the envelope stands in result.structuredContent, or in error.data";
  if (Array.isArray(value["content"]))
    return `this is a tool result: the envelope stands in ${"structuredContent" in value ? "structuredContent" : "content[0].text"}`;
  const keys = Object.keys(value).slice(0, 6).join(", ");
  return `the answer is no envelope: its keys are ${keys === "" ? "none" : keys}`;
}

function nameOf(value: unknown): string {
  if (value === null) return "null";
  if (Array.isArray(value)) return "a list";
  return typeof value === "string" ? "a text" : typeof value === "number" ? "a number" : String(value);
}
