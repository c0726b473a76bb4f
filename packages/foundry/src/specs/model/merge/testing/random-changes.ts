import { isContractError } from "@foundry-mcp/contract";
import fc from "fast-check";
import type { Plan } from "../../change.ts";
import { addJournalEntry } from "../../changes/add-journal-entry.ts";
import { addTask } from "../../changes/add-task.ts";
import { completeTask } from "../../changes/complete-task.ts";
import { moveTask } from "../../changes/move-task.ts";
import { removeTask } from "../../changes/remove-task.ts";
import { updateTask } from "../../changes/update-node.ts";
import type { SpecDocument } from "../../spec-document.ts";
import { SpecModel } from "../../spec-model.ts";
import { runChange } from "../../testing/run-change.ts";

/** A random change. `kind` is the operation; the changed node is chosen below a part of the spec. */
export interface RandomChange {
  readonly kind: "complete" | "add" | "move" | "edit" | "remove" | "journal";
  readonly at: number;
  readonly to: number;
}

/** Generates lists of changes. */
export const randomChanges: fc.Arbitrary<readonly RandomChange[]> = fc.array(
  fc.record({
    kind: fc.constantFrom<RandomChange["kind"]>("complete", "add", "move", "edit", "remove", "journal"),
    at: fc.nat(),
    to: fc.nat(),
  }),
  { minLength: 1, maxLength: 6 },
);

/** A change of one side that can also be applied to another document. */
export type NamedPlan = Plan<unknown>;

/**
 * Applies the changes that are allowed, and returns the document and the plans. If a phase is named, only
 * nodes below this phase change.
 */
export function applyRandom(
  document: SpecDocument,
  changes: readonly RandomChange[],
  who: string,
  phase?: string,
): { readonly document: SpecDocument; readonly plans: readonly NamedPlan[] } {
  let current = document;
  // The ids of removed nodes are not reused.
  let marks = {};
  const plans: NamedPlan[] = [];
  for (const [index, change] of changes.entries()) {
    const plan = toPlan(current, change, `${who} ${index}`, phase);
    try {
      if (plan === undefined) continue;
      const change = runChange(current, plan, { marks });
      current = change.document;
      marks = { ...marks, ...change.marks };
      plans.push(plan);
    } catch (error) {
      if (!isContractError(error)) throw error;
    }
  }
  return { document: current, plans };
}

/** Applies recorded changes to another document. */
export function replay(document: SpecDocument, plans: readonly NamedPlan[]): SpecDocument {
  let marks = {};
  return plans.reduce((each, plan) => {
    const change = runChange(each, plan, { marks });
    marks = { ...marks, ...change.marks };
    return change.document;
  }, document);
}

function toPlan(
  document: SpecDocument,
  { kind, at, to }: RandomChange,
  text: string,
  phase: string | undefined,
): NamedPlan | undefined {
  const spec = new SpecModel(document);
  const below = spec.order.filter(
    (id) => id !== "spec-root" && (phase === undefined || spec.subtree(phase).has(id)),
  );
  const tasks = below.filter((id) => !["phase", "group"].includes(spec.node(id)?.type ?? ""));
  const task_id = tasks[at % tasks.length];
  const parent = below[to % below.length] ?? "phase-1";
  if (kind === "add") return addTask({ parent, title: `Task of ${text}`, position: 0 });
  if (task_id === undefined) return undefined;
  if (kind === "complete") return completeTask({ task_id, note: `Done by ${text}` });
  if (kind === "move") return moveTask({ task_id, parent });
  if (kind === "edit")
    return updateTask({ task_id, title: `Title of ${text}`, metadata: { owner: `Owner ${text}` } });
  if (kind === "remove") return removeTask({ task_id, cascade: true });
  return addJournalEntry({ title: `Entry of ${text}`, content: "Seen", task_id });
}
