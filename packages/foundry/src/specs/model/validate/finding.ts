import { toJsonPath } from "@foundry-mcp/contract";
import type { Edit, EditPath } from "../../../files/json-text/edit.ts";
import type { CheckContext } from "./check-context.ts";
import {
  type DiagnosticCategory,
  type DiagnosticCode,
  type DiagnosticSeverity,
  diagnosticTable,
} from "./diagnostics.ts";

/** One thing that a check found, with what would mend it. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly path: EditPath;
  readonly message: string;
  /** What to do about it. */
  readonly remedy?: string | undefined;
  /** What mends it; absent where nothing but a person can. Of one check all are applied in their order. */
  readonly edits?: readonly Edit[] | undefined;
  /** What everybody reads as it was meant need not stop anybody: a warning unless strict metadata is asked for. */
  readonly isMinor?: boolean | undefined;
}

/** Looks at one aspect of a spec and tells what it found. */
export type SpecCheck = (walk: CheckContext, add: (finding: Finding) => void) => void;

/** One thing that is wrong with a spec. */
export interface Diagnostic {
  readonly code: DiagnosticCode;
  readonly severity: DiagnosticSeverity;
  readonly category: DiagnosticCategory;
  readonly message: string;
  /** JSON path of the place. */
  readonly path: string;
  /** The id of the node; null where it is about the spec as a whole. */
  readonly location: string | null;
  readonly suggested_fix?: string;
  /** Whether `fix` mends it. */
  readonly auto_fixable: boolean;
}

/** How much a finding weighs. */
export function severityOf({ code, isMinor }: Finding, isStrict: boolean): DiagnosticSeverity {
  const { severity, isAuthoring } = diagnosticTable[code];
  return !isStrict && (isAuthoring === true || isMinor === true) ? "warning" : severity;
}

/** A finding as callers are told of it. */
export function toDiagnostic(finding: Finding, isStrict: boolean): Diagnostic {
  const { code, path, message, remedy, edits } = finding;
  const [top, id] = path;
  return {
    code,
    severity: severityOf(finding, isStrict),
    category: diagnosticTable[code].category,
    message,
    path: toJsonPath(path),
    location: top === "hierarchy" && typeof id === "string" ? id : null,
    ...(remedy === undefined ? {} : { suggested_fix: remedy }),
    auto_fixable: edits !== undefined,
  };
}
