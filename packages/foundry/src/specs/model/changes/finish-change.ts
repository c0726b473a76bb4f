import type { Edit } from "../../../files/json-text/edit.ts";
import type { Change, ChangeContext } from "../change.ts";
import { rollUp } from "../rollup.ts";
import type { SpecModel } from "../spec-model.ts";

/** A change before its rollup. */
export interface UnfinishedChange<R> {
  readonly edits: readonly Edit[];
  /** The nodes whose status, children or existence changes. */
  readonly touched: readonly string[];
  /** What is told, of the spec as the edits leave it. */
  readonly result: (after: SpecModel) => R;
  readonly warnings?: readonly string[] | undefined;
  readonly marks?: Readonly<Record<string, number>> | undefined;
}

/** Ends every change: the rollup goes with the edits, so that nobody can forget it. */
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

/** A change that is made already: a success that writes nothing, and says so. */
export function unchanged<R>(result: R, warning: string): Change<R> {
  return { edits: [], result, warnings: [warning] };
}

/** What is removed tells its own numbers, and others before it may have had higher ones. */
function atLeastStored(
  { marks: held }: ChangeContext,
  marks: ChangeContext["marks"],
): ChangeContext["marks"] {
  return Object.fromEntries(
    Object.entries(marks).map(([prefix, number]) => [
      prefix,
      Object.hasOwn(held, prefix) ? Math.max(number, held[prefix] as number) : number,
    ]),
  );
}
