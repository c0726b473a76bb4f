import { toJsonPath } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../../files/json-text/edit.ts";
import type { SpecDocument } from "../spec-document.ts";
import { type CheckContext, createCheckContext } from "../validate/check-context.ts";
import { checkCounts } from "../validate/counts.ts";
import { checkDependencyForm, checkDependencyLinks } from "../validate/dependencies.ts";
import { type DiagnosticCategory, type DiagnosticCode, diagnosticTable } from "../validate/diagnostics.ts";
import { type SpecCheck, severityOf } from "../validate/finding.ts";
import { checkHierarchy } from "../validate/hierarchy.ts";
import { checkNodeMetadata } from "../validate/node-metadata.ts";
import { checkNodes } from "../validate/nodes.ts";
import { checkOrphans } from "../validate/orphans.ts";
import { checkStructure } from "../validate/structure.ts";
import { runChecks } from "../validate/validate-spec.ts";
import { removalsLast } from "./gather-removals.ts";

/** One thing that is mended. */
export interface FixAction {
  readonly id: string;
  readonly code: DiagnosticCode;
  readonly description: string;
  readonly category: DiagnosticCategory;
  readonly path: string;
}

/** An error that stays, since a person must decide. */
export interface SkippedFix {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly reason: string;
}

/** What mends a spec. */
export interface Fix {
  readonly edits: readonly Edit[];
  readonly actions: readonly FixAction[];
  readonly skipped: readonly SkippedFix[];
}

/** In this order: each works on what those before it have mended. Counts come last, they depend on everything. */
const passes: readonly SpecCheck[] = [
  ...[checkStructure, checkNodes, checkNodeMetadata, checkHierarchy, checkOrphans],
  ...[checkDependencyForm, checkDependencyLinks, checkCounts],
];

/**
 * Finds the edits that mend what can be mended without a decision. They touch nothing that is right, keep
 * every node, and leave nothing to do for a second run. What they cannot mend and is an error is `skipped`.
 */
export function fixSpec(document: SpecDocument, now: string): Fix {
  const all: Edit[] = [];
  const actions: FixAction[] = [];
  let walk = createCheckContext(document, undefined, now);
  for (const check of passes) {
    const edits: Edit[] = [];
    check(walk, ({ code, path, message, remedy, edits: mends }) => {
      if (mends === undefined) return;
      edits.push(...mends);
      actions.push({
        id: `fix-${actions.length + 1}`,
        code,
        description: `${message}. ${remedy ?? ""}`.trim(),
        category: diagnosticTable[code].category,
        path: toJsonPath(path),
      });
    });
    if (edits.length === 0) continue;
    const gathered = removalsLast(walk.document, edits);
    walk = createCheckContext(applyEdits(walk.document, gathered), undefined, now);
    for (const edit of gathered) all.push(edit);
  }
  return { edits: all, actions, skipped: skippedOf(walk) };
}

function skippedOf(walk: CheckContext): readonly SkippedFix[] {
  const skipped: SkippedFix[] = [];
  runChecks(walk, (finding) => {
    if (severityOf(finding, false) !== "error") return;
    const { code, path, message, remedy } = finding;
    skipped.push({ code, path: toJsonPath(path), reason: `${message}. ${remedy ?? ""}`.trim() });
  });
  return skipped;
}
