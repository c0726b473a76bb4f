import { type JsonValue, toJsonPath } from "@foundry-mcp/contract";
import { applyEdits, type Edit, type EditPath } from "../../../files/json-text/edit.ts";
import type { SpecDocument } from "../spec-document.ts";
import { type CheckContext, createCheckContext, type SpecCheck } from "../validate/check-context.ts";
import { checkCounts } from "../validate/counts.ts";
import { checkDependencyForm, checkDependencyLinks } from "../validate/dependencies.ts";
import {
  type DiagnosticCategory,
  type DiagnosticCode,
  diagnosticTable,
  severityOf,
} from "../validate/diagnostics.ts";
import { checkHierarchy } from "../validate/hierarchy.ts";
import { checkNodeMetadata } from "../validate/node-metadata.ts";
import { checkNodes } from "../validate/nodes.ts";
import { checkOrphans } from "../validate/orphans.ts";
import { checkStructure } from "../validate/structure.ts";
import { runChecks } from "../validate/validate-spec.ts";

/** A repair that `fixSpec` makes. */
export interface FixAction {
  readonly id: string;
  readonly code: DiagnosticCode;
  readonly description: string;
  readonly category: DiagnosticCategory;
  readonly path: string;
}

/** An error that `fixSpec` does not repair, because a person must decide how to repair it. */
export interface SkippedFix {
  readonly code: DiagnosticCode;
  readonly path: string;
  readonly reason: string;
}

/** The edits that repair a spec, and a report of the repairs. */
export interface Fix {
  readonly edits: readonly Edit[];
  readonly actions: readonly FixAction[];
  readonly skipped: readonly SkippedFix[];
}

/**
 * The checks, in the order in which they run. Each check examines the result of the previous repairs. Counts
 * come last, because they depend on everything else.
 */
const passes: readonly SpecCheck[] = [
  ...[checkStructure, checkNodes, checkNodeMetadata, checkHierarchy, checkOrphans],
  ...[checkDependencyForm, checkDependencyLinks, checkCounts],
];

/**
 * Finds the edits that repair a spec. Errors that need the decision of a person are not repaired; `skipped`
 * lists them. The edits change nothing that is correct, keep every node, and leave nothing for a second run
 * to repair.
 */
export function fixSpec(document: SpecDocument, now: string): Fix {
  const all: Edit[] = [];
  const actions: FixAction[] = [];
  let checked = createCheckContext(document, undefined, now);
  for (const check of passes) {
    const edits: Edit[] = [];
    check(checked, ({ code, path, message, remedy, edits: repairs }) => {
      if (repairs === undefined) return;
      edits.push(...repairs);
      actions.push({
        id: `fix-${actions.length + 1}`,
        code,
        description: `${message}. ${remedy ?? ""}`.trim(),
        category: diagnosticTable[code].category,
        path: toJsonPath(path),
      });
    });
    if (edits.length === 0) continue;
    const ordered = removalsLast(checked.document, edits);
    checked = createCheckContext(applyEdits(checked.document, ordered), undefined, now);
    for (const edit of ordered) all.push(edit);
  }
  return { edits: all, actions, skipped: skippedErrors(checked) };
}

function skippedErrors(context: CheckContext): readonly SkippedFix[] {
  const skipped: SkippedFix[] = [];
  runChecks(context, (finding) => {
    if (severityOf(finding, false) !== "error") return;
    const { code, path, message, remedy } = finding;
    skipped.push({ code, path: toJsonPath(path), reason: `${message}. ${remedy ?? ""}`.trim() });
  });
  return skipped;
}

/**
 * The maximum number of separate removals from one list. If there are more removals, one edit sets the whole
 * list.
 */
const maxRemovals = 20;

/**
 * Puts the removals of list items after all other edits, and removes items from the end of each list first.
 * In this order, no removal changes the index of a later edit. All indexes refer to the given document.
 */
function removalsLast(document: unknown, edits: readonly Edit[]): readonly Edit[] {
  const others: Edit[] = [];
  const lists = new Map<string, { readonly path: EditPath; readonly indexes: Set<number> }>();
  for (const edit of edits) {
    const index = edit.path.at(-1);
    if (edit.op !== "remove" || typeof index !== "number") {
      others.push(edit);
      continue;
    }
    const path = edit.path.slice(0, -1);
    const key = JSON.stringify(path);
    const list = lists.get(key) ?? { path, indexes: new Set() };
    lists.set(key, list);
    list.indexes.add(index);
  }
  for (const { path, indexes } of lists.values()) {
    const items = valueAt(document, path);
    if (indexes.size > maxRemovals && Array.isArray(items)) {
      const value = items.filter((_, index) => !indexes.has(index)) as readonly JsonValue[];
      others.push({ op: "set", path, value });
    } else
      for (const index of [...indexes].sort((a, b) => b - a))
        others.push({ op: "remove", path: [...path, index] });
  }
  return others;
}

function valueAt(document: unknown, path: EditPath): unknown {
  let value = document;
  for (const key of path) value = (value as Record<string | number, unknown> | undefined)?.[key];
  return value;
}
