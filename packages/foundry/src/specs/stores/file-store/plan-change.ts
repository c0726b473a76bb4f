import { editText } from "../../../files/json-text/edit-text.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { Change, ChangeContext, Plan } from "../../model/change.ts";
import { affectedNodes } from "../affected-nodes.ts";
import { digestOf, requireIndex, requireSize, SpecFile } from "../spec-file.ts";
import type { LoadedSpec } from "./spec-state.ts";

/** A new text of a spec. */
export interface TextDraft {
  /** The chunks of the new text, in order. */
  readonly chunks: readonly Uint8Array[];
  /** The replacements that turn the old text into the new text. */
  readonly splices: readonly Splice[];
  /** The parsed new text. */
  readonly file: SpecFile;
  /** The buffer that contains the new text. The buffer may be larger than the text. */
  readonly buffer?: Buffer | undefined;
  /** The first few nodes that the change is about, for the history. */
  readonly about?: readonly string[] | undefined;
}

/** A planned change with its new text. `draft` is absent if the text does not change. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: TextDraft | undefined;
}

/**
 * A plan on a spec and its text. `spare` is a buffer that the plan may overwrite with the new text.
 */
export type TextPlan<R> = (
  loaded: LoadedSpec,
  context: ChangeContext,
  spare?: Buffer | undefined,
) => PlannedChange<R>;

/** Converts a plan on the model to a plan that also edits the text. */
export function planOnText<R>(plan: Plan<R>): TextPlan<R> {
  return ({ snapshot: { model }, file, location }, context, spare) => {
    const { edits, ...change } = plan(model, context);
    if (edits.length === 0) return change;
    const changed = model.after(edits);
    const { chunks, size, index, splices } = editText(file.bytes, edits, requireIndex(file, location.path));
    requireSize(size, location.path);
    const buffer = joinChunks(chunks, size, spare);
    const after = new SpecFile(buffer.subarray(0, size), changed, { index, digest: digestOf(chunks) });
    return {
      ...change,
      draft: { chunks, splices, file: after, buffer, about: affectedNodes(edits, model, changed) },
    };
  };
}

/** The number of bytes that a text may grow before its buffer is too small. */
const slack = 64 * 2 ** 10;

/** Joins chunks in the spare buffer, or in a new buffer if the spare buffer is too small. */
function joinChunks(chunks: readonly Uint8Array[], size: number, spare: Buffer | undefined): Buffer {
  if (spare === undefined) return Buffer.concat(chunks, size);
  const buffer = spare.length < size ? Buffer.allocUnsafeSlow(size + slack) : spare;
  let at = 0;
  for (const chunk of chunks) {
    buffer.set(chunk, at);
    at += chunk.length;
  }
  return buffer;
}
