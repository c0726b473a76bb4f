import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext, Plan } from "../change.ts";
import { type Lease, withLeases } from "../lease.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";

/** Changes that are made one after the other, and kept as one. */
export interface ChangeSequence {
  /** Makes a change of what those before it left, and gives what it tells; one that throws leaves no trace. */
  run<R>(plan: Plan<R>): R;
  /** All of them as one change. */
  finish<R>(result: R, warnings?: readonly string[]): Change<R>;
}

/** Opens a sequence of changes of a spec. */
export function createChangeSequence(start: SpecModel, context: ChangeContext): ChangeSequence {
  let spec = start;
  // Counted once: what changes after that is counted along the way, not anew.
  start.tally(rootId);
  let { leases } = context;
  const edits: Edit[] = [];
  const told: string[] = [];
  const given = new Map<string, number>();
  const held: Record<string, Lease | null> = {};
  return {
    run(plan) {
      const marks = { ...context.marks, ...Object.fromEntries(given) };
      const change = plan(spec, { ...context, marks, leases });
      for (const edit of change.edits) edits.push(edit);
      spec = spec.after(change.edits);
      told.push(...(change.warnings ?? []));
      for (const [prefix, number] of Object.entries(change.marks ?? {})) given.set(prefix, number);
      Object.assign(held, change.leases);
      leases = withLeases(leases, change.leases);
      return change.result;
    },
    finish(result, warnings = []) {
      const all = [...warnings, ...told];
      return {
        edits,
        result,
        ...(all.length === 0 ? {} : { warnings: all }),
        ...(given.size === 0 ? {} : { marks: Object.fromEntries(given) }),
        ...(Object.keys(held).length === 0 ? {} : { leases: held }),
      };
    },
  };
}
