import { isContractError, isRecord } from "@foundry-mcp/contract";
import { parseJson } from "../../../files/parse-json.ts";
import { maxBytes } from "../text-limits.ts";
import { createCheckContext, type SpecCheck, type ValidateOptions } from "./check-context.ts";
import { checkCounts } from "./counts.ts";
import { checkDependencyForm, checkDependencyLinks } from "./dependencies.ts";
import {
  type AddFinding,
  type Diagnostic,
  type DiagnosticCode,
  type Finding,
  severityOf,
  toDiagnostic,
} from "./diagnostics.ts";
import { checkHierarchy } from "./hierarchy.ts";
import { checkLimits } from "./limits.ts";
import { checkMetadata } from "./metadata.ts";
import { checkNodeMetadata } from "./node-metadata.ts";
import { checkNodes } from "./nodes.ts";
import { checkOrphans } from "./orphans.ts";
import { checkPlanning } from "./planning.ts";
import { quote } from "./quote.ts";
import { checkRecordLists } from "./record-lists.ts";
import { checkStructure } from "./structure.ts";
import { checkUnknownFields } from "./unknown-fields.ts";
import { checkVerifyOrder } from "./verify-order.ts";

/** The result of a validation. */
export interface Validation {
  /** True if there are no errors. */
  readonly is_valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  readonly info_count: number;
  readonly diagnostics: readonly Diagnostic[];
  /** The number of diagnostics that are counted and not listed; absent if all are listed. */
  readonly unlisted_count?: number;
}

/** The maximum number of listed diagnostics of one code. A small file can have a million of them. */
export const maxPerCode = 1_000;

const checks: readonly SpecCheck[] = [
  ...[
    checkStructure,
    checkRecordLists,
    checkMetadata,
    checkNodes,
    checkNodeMetadata,
    checkPlanning,
    checkUnknownFields,
  ],
  ...[checkHierarchy, checkOrphans, checkDependencyForm, checkDependencyLinks, checkVerifyOrder],
  ...[checkCounts, checkLimits],
];

/** Runs all checks. */
export const runChecks: SpecCheck = (walk, add) => {
  for (const check of checks) check(walk, add);
};

/**
 * Validates any JSON value as a spec. The function never throws, and its time is proportional to the size of
 * the value.
 */
export function validateSpec(document: unknown, options?: ValidateOptions): Validation {
  return toValidation((add) => {
    if (isRecord(document)) runChecks(createCheckContext(document, options), add);
    else {
      const message = `The spec is ${quote(document)}, not an object`;
      add({ code: "INVALID_SPEC_TYPE", path: [], message, remedy: "Make it an object." });
    }
  }, options);
}

/** Collects findings into a validation result. */
export function toValidation(find: (add: AddFinding) => void, options?: ValidateOptions): Validation {
  const isStrict = options?.strictMetadata === true;
  const diagnostics: Diagnostic[] = [];
  const counts = { error: 0, warning: 0, info: 0 };
  const listed = new Map<DiagnosticCode, number>();
  let unlisted = 0;
  find((finding) => {
    counts[severityOf(finding, isStrict)] += 1;
    const count = listed.get(finding.code) ?? 0;
    listed.set(finding.code, count + 1);
    if (count < maxPerCode) diagnostics.push(toDiagnostic(finding, isStrict));
    else unlisted += 1;
  });
  return {
    is_valid: counts.error === 0,
    error_count: counts.error,
    warning_count: counts.warning,
    info_count: counts.info,
    diagnostics,
    ...(unlisted === 0 ? {} : { unlisted_count: unlisted }),
  };
}

/** Validates the text of a spec file. The function never throws. */
export function validateText(text: string, options?: ValidateOptions): Validation {
  const fail = (finding: Finding) => toValidation((add) => add(finding));
  // A text has at least as many UTF-8 bytes as UTF-16 code units, so a text that is longer than the limit is
  // certainly too large.
  if (text.length > maxBytes)
    return fail({
      code: "INPUT_TOO_LARGE",
      path: [],
      message: `The spec is larger than ${maxBytes / 2 ** 20} MiB`,
      remedy: "Split it into several specs.",
    });
  let document: unknown;
  try {
    document = parseJson(text, "the spec");
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    const { message, remediation: remedy } = thrown;
    return fail({ code: "INVALID_JSON", path: [], message, remedy });
  }
  return validateSpec(document, options);
}
