import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { type Lease, withLeases } from "../lease.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";

/** A sequence of changes that is stored as one change. */
export interface ChangeSequence {
  /**
   * Runs a plan on the spec that the previous plans produced, and returns the result of the plan. A plan that
   * throws has no effect.
   */
  run<R>(plan: Plan<R>): R;
  /** Returns the spec after all plans so far. */
  current(): SpecModel;
  /** Returns all changes as one change. */
  finish<R>(result: R, warnings?: readonly string[]): Change<R>;
}

/** Creates a sequence of changes of a spec. */
export function createChangeSequence(start: SpecModel, context: ChangeContext): ChangeSequence {
  let spec = start;
  // The progress counts are computed once. Later changes update the counts incrementally.
  start.tally(rootId);
  let { leases } = context;
  const edits: Edit[] = [];
  const collected: string[] = [];
  const newMarks = new Map<string, number>();
  const newLeases: Record<string, Lease | null> = {};
  return {
    run(plan) {
      const marks = { ...context.marks, ...Object.fromEntries(newMarks) };
      const change = plan(spec, { ...context, marks, leases });
      for (const edit of change.edits) edits.push(edit);
      spec = spec.after(change.edits);
      collected.push(...(change.warnings ?? []));
      for (const [prefix, number] of Object.entries(change.marks ?? {})) newMarks.set(prefix, number);
      Object.assign(newLeases, change.leases);
      leases = withLeases(leases, change.leases);
      return change.result;
    },
    current: () => spec,
    finish(result, warnings = []) {
      const all = [...warnings, ...collected];
      return {
        edits,
        result,
        ...(all.length === 0 ? {} : { warnings: all }),
        ...(newMarks.size === 0 ? {} : { marks: Object.fromEntries(newMarks) }),
        ...(Object.keys(newLeases).length === 0 ? {} : { leases: newLeases }),
      };
    },
  };
}
