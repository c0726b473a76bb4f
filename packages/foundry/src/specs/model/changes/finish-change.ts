import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext } from "../change.ts";
import { rollUp } from "../rollup.ts";
import type { SpecModel } from "../spec-model.ts";
import { requireFewLinks } from "./require-few-links.ts";
import { requireKeptValues } from "./require-kept-values.ts";

/** A change before its rollup. */
export interface UnfinishedChange<R> {
  readonly edits: readonly Edit[];
  /** The ids of nodes whose status or children change, and of nodes that are added or removed. */
  readonly touched: readonly string[];
  /**
   * Computes the result from the spec after the edits. The derived statuses of parents are up to date only in the spec
   * that `rolledUp` returns.
   */
  readonly result: (after: SpecModel, rolledUp: () => SpecModel) => R;
  readonly warnings?: readonly string[] | undefined;
  readonly marks?: Readonly<Record<string, number>> | undefined;
}

/**
 * Adds the edits of the rollup, which updates derived statuses and counts, to a change. Every plan ends with
 * this call, so that no plan omits the rollup, replaces a stored value that it cannot add to, or
 * makes a spec that cannot be read again.
 */
export function finishChange<R>(
  spec: SpecModel,
  context: ChangeContext,
  draft: UnfinishedChange<R>,
): Change<R> {
  const { edits, touched, result, warnings, marks } = draft;
  const rollup = rollUp(spec, edits, touched, context.now);
  const all = [...edits, ...rollup.edits];
  requireKeptValues(spec, all);
  requireFewLinks(rollup.after, edits);
  return {
    edits: all,
    result: result(rollup.after, () => rollup.after.after(rollup.edits)),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
    ...(marks === undefined || Object.keys(marks).length === 0
      ? {}
      : { marks: atLeastStored(context, marks) }),
  };
}

/**
 * Returns the higher of the stored number and the new number for each prefix. A stored number is higher if a
 * removed node had that number.
 */
function atLeastStored(
  { marks: stored }: ChangeContext,
  marks: ChangeContext["marks"],
): ChangeContext["marks"] {
  return Object.fromEntries(
    Object.entries(marks).map(([prefix, number]) => [
      prefix,
      Object.hasOwn(stored, prefix) ? Math.max(number, stored[prefix] as number) : number,
    ]),
  );
}
