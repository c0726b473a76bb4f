import {
  detectDialect,
  envelopeV1Capability,
  envelopeV1Codes,
  envelopeV1Schema,
  isRecord,
  responseV1Schema,
  tiers,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { CheckerRuleId } from "../rules/rules.ts";
import { describeNonEnvelope, type RuleOutcome, type RuleOutcomes } from "./judge-response-v2.ts";

const fields = Object.keys(envelopeV1Schema.shape);

/** Checks a value against the shape of envelope-v1. `tool` is the tool that was called, if it is known. */
export function judgeEnvelopeV1(value: unknown, tool?: string): RuleOutcomes {
  if (!isRecord(value) || fields.filter((field) => Object.hasOwn(value, field)).length < 4)
    return [["EV1-01", { path: "$", message: describeNonEnvelope(value) }]];
  const missing = fields.filter((field) => !Object.hasOwn(value, field));
  return [
    toOutcome("EV1-01", missing.length === 0, "$", `${missing.join(", ")} missing`),
    ...judgeTypes(value),
    ...judgeError(value["error"]),
    ...judgeLists(value),
    ...judgeFacts(value, tool),
  ];
}

function judgeTypes(value: UnknownRecord): RuleOutcome[] {
  const { tier, duration_ms: duration } = value;
  const wrong: [string, string][] = [];
  if ("tier" in value && !(tiers as readonly unknown[]).includes(tier))
    wrong.push(["tier", `is none of ${tiers.join(", ")}`]);
  for (const field of ["tool_version", "tool_id", "request_id"])
    if (field in value && typeof value[field] !== "string") wrong.push([field, "is no text"]);
  for (const field of ["capabilities", "upgrade_hints"])
    if (field in value && !Array.isArray(value[field])) wrong.push([field, "is no list"]);
  if (duration !== undefined && duration !== null && typeof duration !== "number")
    wrong.push(["duration_ms", "is no number"]);
  if (wrong.length === 0) return [["EV1-02", undefined]];
  return wrong.map(([field, message]) => ["EV1-02", { path: `$.${field}`, message: `${field} ${message}` }]);
}

function judgeError(error: unknown): RuleOutcome[] {
  if (error === null || error === undefined) return [["EV1-03", undefined]];
  if (!isRecord(error)) return [toOutcome("EV1-03", false, "$.error", "error is no object and not null")];
  const { error: message, error_code: code, error_details: details } = error;
  const lacks = [
    ...(typeof message === "string" && message.trim() !== "" ? [] : ["error as a text"]),
    ...(typeof code === "string" ? [] : ["error_code as a text"]),
    ...(details === null || isRecord(details) ? [] : ["error_details as an object or null"]),
  ];
  const isKnown = (envelopeV1Codes as readonly unknown[]).includes(code);
  return [
    toOutcome("EV1-03", lacks.length === 0, "$.error", `it lacks ${lacks.join(" and ")}`),
    ...(typeof code === "string"
      ? [toOutcome("EV1-04", isKnown, "$.error.error_code", `"${code}" is none of the twelve codes`)]
      : []),
  ];
}

function judgeLists({ capabilities, upgrade_hints: hints }: UnknownRecord): RuleOutcome[] {
  const outcomes: RuleOutcome[] = [];
  if (Array.isArray(capabilities)) {
    const isListed = capabilities.includes(envelopeV1Capability);
    outcomes.push(toOutcome("EV1-05", isListed, "$.capabilities", `"${envelopeV1Capability}" is not listed`));
  }
  if (Array.isArray(hints)) {
    const at = hints.findIndex(
      (hint) => !isRecord(hint) || ["feature", "tier", "reason"].some((key) => typeof hint[key] !== "string"),
    );
    outcomes.push(
      toOutcome("EV1-08", at === -1, `$.upgrade_hints[${at}]`, "it is no { feature, tier, reason }"),
    );
  }
  return outcomes;
}

function judgeFacts(
  { tier, duration_ms: duration, tool_id: id }: UnknownRecord,
  tool?: string,
): RuleOutcome[] {
  const outcomes: RuleOutcome[] = [];
  if (tier === "pro" || tier === "enterprise") {
    const isMeasured = typeof duration === "number" && duration >= 0;
    // Rule EV1-02 reports a duration of any other type.
    if (isMeasured || typeof duration === "number" || duration === null)
      outcomes.push(toOutcome("EV1-06", isMeasured, "$.duration_ms", `it is ${duration} at tier ${tier}`));
  }
  if (tool !== undefined && typeof id === "string")
    outcomes.push(toOutcome("EV1-07", id === tool, "$.tool_id", `it is "${id}", and "${tool}" was called`));
  return outcomes;
}

/** Checks a value against the shape of response-v1. */
export function judgeResponseV1(value: unknown): RuleOutcomes {
  const parsed = responseV1Schema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const path = ["$", ...(issue?.path ?? [])].join(".");
    return [
      [
        "RV1-01",
        isRecord(value) && detectDialect(value) === null
          ? { path, message: issue?.message ?? "" }
          : { path: "$", message: describeNonEnvelope(value) },
      ],
    ];
  }
  const { success, error } = parsed.data;
  const hasMessage = success || (error !== undefined && error.trim() !== "");
  return [toOutcome("RV1-01", hasMessage, "$.error", "a failure has no message in error")];
}

function toOutcome(rule: CheckerRuleId, holds: boolean, path: string, message: string): RuleOutcome {
  return [rule, holds ? undefined : { path, message }];
}
