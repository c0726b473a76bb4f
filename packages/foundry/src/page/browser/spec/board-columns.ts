import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import { phaseLookup, tasksOf, toFilter } from "../model/filter.ts";
import { workStates } from "../model/work-states.ts";
import type { WorkState } from "../parts/status-mark.tsx";
import type { Query } from "../routes/route.ts";

/**
 * The columns of the board. A pending task is in the column `ready` if it can be started, and otherwise in `waiting`.
 */
export const columnStates = [
  "ready",
  "waiting",
  "in_progress",
  "blocked",
  "completed",
] as const satisfies readonly WorkState[];
export type ColumnState = (typeof columnStates)[number];

/** A row of a column: the heading of a phase, or a task. */
export type BoardRow =
  | { readonly kind: "phase"; readonly phase: SpecNode; readonly count: number }
  | { readonly kind: "task"; readonly task: SpecNode; readonly index: number };

/** A column of the board. */
export interface Column {
  readonly tasks: readonly SpecNode[];
  readonly rows: readonly BoardRow[];
}

type Columns = Readonly<Record<ColumnState, Column>>;
const known = new WeakMap<SpecModel, { key: string; columns: Columns }>();

/** Sorts the tasks of a spec into the columns. */
export function toColumns(model: SpecModel, query: Query): Columns {
  const { task: _, ...filters } = query;
  const key = JSON.stringify(filters);
  const before = known.get(model);
  if (before?.key === key) return before.columns;
  const columns = buildColumns(model, query);
  known.set(model, { key, columns });
  return columns;
}

function buildColumns(model: SpecModel, query: Query): Columns {
  const filter = toFilter(model, query);
  const states = workStates(model);
  const phaseOf = phaseLookup(model);
  const tasks: Record<ColumnState, SpecNode[]> = {
    ready: [],
    waiting: [],
    in_progress: [],
    blocked: [],
    completed: [],
  };
  for (const node of tasksOf(model))
    if (filter === undefined || filter(node)) tasks[states.get(node.id) ?? "ready"].push(node);
  const toRows = (own: readonly SpecNode[]): readonly BoardRow[] => {
    const rows: BoardRow[] = [];
    const counts = new Map<string, number>();
    for (const task of own) {
      const id = phaseOf(task.id)?.id ?? "";
      counts.set(id, (counts.get(id) ?? 0) + 1);
    }
    let shown: string | undefined;
    for (const [index, task] of own.entries()) {
      const phase = phaseOf(task.id);
      if (phase !== undefined && phase.id !== shown && phase.id !== task.id)
        rows.push({ kind: "phase", phase, count: counts.get(phase.id) ?? 0 });
      shown = phase?.id;
      rows.push({ kind: "task", task, index });
    }
    return rows;
  };
  const toColumn = (state: ColumnState): Column => ({ tasks: tasks[state], rows: toRows(tasks[state]) });
  return {
    ready: toColumn("ready"),
    waiting: toColumn("waiting"),
    in_progress: toColumn("in_progress"),
    blocked: toColumn("blocked"),
    completed: toColumn("completed"),
  };
}
