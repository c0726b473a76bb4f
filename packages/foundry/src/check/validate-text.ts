import { type Dialect, detectDialect, validationError } from "@foundry-mcp/contract";
import { checkErrors } from "./check-errors.ts";
import { judgeValue } from "./judge/judge-answer.ts";
import { toEvidence } from "./observe/evidence.ts";
import { limitDepth } from "./observe/limit-depth.ts";
import type { FileFinding, FileReport } from "./report/file-report.ts";
import { rules } from "./rules/rules.ts";

const maxFindings = 100;

/**
 * Checks the envelopes in a text. The text is a single envelope, an array, or one envelope per line. Throws if a MUST
 * is broken.
 */
export function validateText(text: string, wanted?: Dialect): FileReport {
  const entries = readEntries(text);
  if (entries.length === 0) throw noEnvelopeError(text);
  const findings: FileFinding[] = [];
  const dialects: Partial<Record<Dialect, number>> = {};
  let valid = 0;
  let count = 0;
  for (const [index, { line, value, isJson }] of entries.entries()) {
    const dialect = wanted ?? detectDialect(value) ?? "response-v2";
    dialects[dialect] = (dialects[dialect] ?? 0) + 1;
    const outcomes = isJson
      ? judgeValue(value, dialect)
      : ([["RV2-09", { path: "$", message: "it is no JSON" }]] as const);
    let isValid = true;
    for (const [rule, violation] of outcomes) {
      if (violation === undefined) continue;
      const { level, remedy } = rules[rule];
      if (level === "MUST") isValid = false;
      if (++count > maxFindings) continue;
      findings.push({
        envelope: index + 1,
        line,
        rule,
        level,
        ...violation,
        evidence: toEvidence(value),
        remedy,
      });
    }
    if (isValid) valid++;
  }
  const report = { envelopes: entries.length, valid, dialects, findings, finding_count: count };
  if (valid === entries.length) return report;
  const broken = entries.length - valid;
  const message = `${broken} of ${entries.length} ${entries.length === 1 ? "envelope breaks" : "envelopes break"} a rule that binds`;
  throw checkErrors.error("CONTRACT_BROKEN", message, { data: report });
}

interface Entry {
  readonly line: number;
  readonly value: unknown;
  readonly isJson: boolean;
}

function readEntries(text: string): readonly Entry[] {
  const whole = text.charCodeAt(0) === 0xfeff ? text.slice(1) : text;
  if (whole.trim() === "") return [];
  const all = parse(whole);
  if (all.isJson) {
    const values = Array.isArray(all.value) ? (all.value as readonly unknown[]) : [all.value];
    return values.map((value) => ({ line: 1, value, isJson: true }));
  }
  const lines = whole.split("\n");
  const entries = lines.flatMap((each, index) =>
    each.trim() === "" ? [] : [{ line: index + 1, ...parse(each) }],
  );
  // Lines without a JSON object are treated as one malformed document instead of many.
  return entries.some(({ isJson, value }) => isJson && typeof value === "object")
    ? entries
    : [{ line: 1, value: whole, isJson: false }];
}

function parse(text: string): { readonly value: unknown; readonly isJson: boolean } {
  try {
    // The depth starts at level 1, as for an item of an array.
    return { value: limitDepth(JSON.parse(text), 1).value, isJson: true };
  } catch {
    return { value: text, isJson: false };
  }
}

function noEnvelopeError(text: string) {
  const why = text.trim() === "" || text.trim() === "\uFEFF" ? "the text is empty" : "the list is empty";
  return validationError(
    { field: "text", constraint: "required", received: text },
    {
      message: `There is no envelope to validate: ${why}`,
      remediation: "Give a file with one envelope, or with one on each line.",
    },
  );
}
