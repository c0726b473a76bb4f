import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext } from "../change.ts";
import { rollUp } from "../rollup.ts";
import type { SpecModel } from "../spec-model.ts";

/** A change before its rollup. */
export interface UnfinishedChange<R> {
  readonly edits: readonly Edit[];
  /** The ids of nodes whose status, children or existence changes. */
  readonly touched: readonly string[];
  /** Computes the result from the spec after the edits. */
  readonly result: (after: SpecModel) => R;
  readonly warnings?: readonly string[] | undefined;
  readonly marks?: Readonly<Record<string, number>> | undefined;
}

/** Completes a change with the edits of its rollup. Every plan ends here, so that none can omit it. */
export function finishChange<R>(
  spec: SpecModel,
  context: ChangeContext,
  draft: UnfinishedChange<R>,
): Change<R> {
  const { edits, touched, result, warnings, marks } = draft;
  const rollup = rollUp(spec, edits, touched, context.now);
  return {
    edits: [...edits, ...rollup.edits],
    result: result(rollup.after),
    ...(warnings === undefined || warnings.length === 0 ? {} : { warnings }),
    ...(marks === undefined || Object.keys(marks).length === 0
      ? {}
      : { marks: atLeastStored(context, marks) }),
  };
}

/** Returns a change without edits, with a warning that nothing changed. */
export function unchanged<R>(result: R, warning: string): Change<R> {
  return { edits: [], result, warnings: [warning] };
}

/** Keeps the stored mark if it is higher: nodes removed earlier may have had higher numbers. */
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
