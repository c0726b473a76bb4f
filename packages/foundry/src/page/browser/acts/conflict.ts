import type { UnknownRecord } from "@foundry-mcp/contract";
import { diffFields, type FieldChange } from "../../../specs/model/diff/diff-fields.ts";
import type { LoadedSpec } from "../state/spec-cache.ts";
import type { Act } from "./act.ts";

/** A change that conflicts with a change by somebody else. */
export interface Conflict {
  readonly act: Act;
  /** The spec as it is now. */
  readonly theirs: LoadedSpec;
  decide(decision: Decision): void;
}

/**
 * The end of a conflict: the act is repeated with these arguments on the current revision, the act is given up, or
 * the person returns to the form, which still contains the typed text.
 */
export type Decision = UnknownRecord | "dropped" | "undecided";

/** Counts are derived from the statuses of tasks, so a change of counts alone is not a conflict. */
const derived: ReadonlySet<string> = new Set(["total_tasks", "completed_tasks"]);

/** Returns what the others changed in the nodes that an act concerns. */
export function changesOfOthers(
  { about, base }: Act,
  theirs: LoadedSpec,
): readonly (FieldChange & { readonly id: string })[] {
  return about.flatMap((id) => {
    const [before, after] = [base.model.node(id)?.raw, theirs.model.node(id)?.raw];
    if (before === after) return [];
    if (before === undefined || after === undefined)
      return [
        {
          id,
          field: "task",
          before: before === undefined ? "missing" : "here",
          after: after === undefined ? "removed" : "here",
        },
      ];
    return [...diffFields(before, after, (field) => !derived.has(field))].map((change) => ({
      id,
      ...change,
    }));
  });
}

/** Returns the fields that an act sets and that the others changed as well. */
export function disputedFields(act: Act, others: readonly FieldChange[]): readonly string[] {
  const changed = new Set(others.map(({ field }) => field.replace(/^metadata\./, "")));
  return Object.keys(act.sets).filter((field) => changed.has(field));
}
