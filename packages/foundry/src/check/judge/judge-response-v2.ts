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

/** Where a value falls short of a rule. */
export type Shortfall = Pick<Evidence, "message" | "path">;

/** What a value was held to, and where it fell short; a rule that it keeps has undefined. */
export type Verdict = readonly (readonly [rule: CheckerRuleId, shortfall: Shortfall | undefined])[];

/** The contract's own rules by their ids here. */
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

/** Holds a value to the shape of response-v2. */
export function judgeResponseV2(value: unknown): Verdict {
  const isOther = (detectDialect(value) ?? "response-v2") !== "response-v2";
  if (isOther || !isEnvelopeLike(value)) return [["RV2-01", { path: "$", message: describeOther(value) }]];
  const findings = checkEnvelope(value);
  const verdict: [CheckerRuleId, Shortfall | undefined][] = [];
  for (const [key, rule] of Object.entries(contractRules)) {
    if (key === "E9" || !applies(key, value)) continue;
    const broken = findings.filter((finding) => finding.rule === key);
    if (broken.length === 0) verdict.push([rule, undefined]);
    // There is one for each key that is too many, and each names them all.
    const first = broken.find(({ message }) => isSurplus(message));
    const told = broken.filter((each) => each === first || !isSurplus(each.message));
    for (const { path, message } of told) verdict.push([rule, { path, message }]);
  }
  const { data, meta } = value;
  if (isRecord(meta)) {
    const isTold = typeof meta["request_id"] === "string" && meta["request_id"] !== "";
    verdict.push(["RV2-14", isTold ? undefined : { path: "$.meta", message: "request_id is missing" }]);
  }
  if (value["success"] === false && isRecord(data)) verdict.push(...judgeFailure(data, meta));
  return verdict;
}

function judgeFailure(data: UnknownRecord, meta: unknown): [CheckerRuleId, Shortfall | undefined][] {
  const { error_code: code, error_type: type } = data;
  const verdict: [CheckerRuleId, Shortfall | undefined][] = [];
  if (typeof type === "string") verdict.push(["RV2-13", typeShortfall(code, type)]);
  if (type === "rate_limit") {
    const told = typeof data["retry_after_seconds"] === "number";
    const limits = isRecord(meta) && isRecord(meta["rate_limit"]);
    const missing = [...(told ? [] : ["data.retry_after_seconds"]), ...(limits ? [] : ["meta.rate_limit"])];
    const message = `${missing.join(" and ")} ${missing.length === 1 ? "is" : "are"} missing`;
    verdict.push(["RV2-15", missing.length === 0 ? undefined : { path: "$", message }]);
  }
  return verdict;
}

function typeShortfall(code: unknown, type: string): Shortfall | undefined {
  const path = "$.data.error_type";
  if (!Object.hasOwn(errorTypes, type)) return { path, message: `"${type}" is none of the nine error types` };
  if (typeof code !== "string" || !Object.hasOwn(errorCatalogue, code)) return undefined;
  const { type: wanted } = errorCatalogue[code as keyof typeof errorCatalogue];
  return wanted === type ? undefined : { path, message: `${code} is of type ${wanted}, not ${type}` };
}

function isSurplus(message: string): boolean {
  return message.startsWith("Unrecognized key");
}

/** Rules that speak of failures or of answers with a gap say nothing of others. */
function applies(key: string, { success, meta }: UnknownRecord): boolean {
  if (key === "F1" || key === "F2") return success === false;
  if (key !== "C1") return true;
  return (
    isRecord(meta) && (meta["content_fidelity"] !== undefined || meta["dropped_content_ids"] !== undefined)
  );
}

/** What is meant to be an envelope, whatever it lacks: at least two of its keys. */
function isEnvelopeLike(value: unknown): value is UnknownRecord {
  if (!isRecord(value)) return false;
  return ["success", "data", "error", "meta"].filter((key) => Object.hasOwn(value, key)).length >= 2;
}

/** What stands in the place of an envelope, and where the envelope may be. */
export function describeOther(value: unknown): string {
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
