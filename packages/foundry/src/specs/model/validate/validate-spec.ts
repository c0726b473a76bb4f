import { isRecord } from "@foundry-mcp/contract";
import { createCheckContext, type ValidateOptions } from "./check-context.ts";
import { checkCounts } from "./counts.ts";
import { checkDependencyForm, checkDependencyLinks } from "./dependencies.ts";
import { type Diagnostic, type Finding, type SpecCheck, toDiagnostic } from "./finding.ts";
import { checkHierarchy } from "./hierarchy.ts";
import { checkLimits } from "./limits.ts";
import { checkMetadata } from "./metadata.ts";
import { checkNodeMetadata } from "./node-metadata.ts";
import { checkNodes } from "./nodes.ts";
import { checkOrphans } from "./orphans.ts";
import { quote } from "./quote.ts";
import { checkStructure } from "./structure.ts";
import { checkUnknownFields } from "./unknown-fields.ts";

/** What is wrong with a spec. */
export interface Validation {
  /** True where nothing is an error. */
  readonly is_valid: boolean;
  readonly error_count: number;
  readonly warning_count: number;
  readonly info_count: number;
  readonly diagnostics: readonly Diagnostic[];
}

const checks: readonly SpecCheck[] = [
  ...[checkStructure, checkMetadata, checkNodes, checkNodeMetadata, checkUnknownFields],
  ...[checkHierarchy, checkOrphans, checkDependencyForm, checkDependencyLinks, checkCounts, checkLimits],
];

/** All checks, one after the other. */
export const runChecks: SpecCheck = (walk, add) => {
  for (const check of checks) check(walk, add);
};

/** Holds any JSON value to the rules of specs. Never throws, and takes time in proportion to its size. */
export function validateSpec(document: unknown, options?: ValidateOptions): Validation {
  return toValidation((add) => {
    if (isRecord(document)) runChecks(createCheckContext(document, options), add);
    else {
      const message = `The spec is ${quote(document)}, not an object`;
      add({ code: "INVALID_SPEC_TYPE", path: [], message, remedy: "Make it an object." });
    }
  }, options);
}

/** What is found, as callers are told of it. */
export function toValidation(
  find: (add: (finding: Finding) => void) => void,
  options?: ValidateOptions,
): Validation {
  const isStrict = options?.strictMetadata === true;
  const diagnostics: Diagnostic[] = [];
  const counts = { error: 0, warning: 0, info: 0 };
  find((finding) => {
    const diagnostic = toDiagnostic(finding, isStrict);
    diagnostics.push(diagnostic);
    counts[diagnostic.severity] += 1;
  });
  return {
    is_valid: counts.error === 0,
    error_count: counts.error,
    warning_count: counts.warning,
    info_count: counts.info,
    diagnostics,
  };
}
