import { editText } from "../../../files/json-text/edit-text.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { Change, ChangeContext, Plan } from "../../model/change.ts";
import type { KeptAnswer } from "../kept-answer.ts";
import { nodesOf } from "../nodes-of.ts";
import { hashOf, requireIndex, requireSize, SpecFile } from "../spec-file.ts";
import type { CallKey } from "../spec-store.ts";
import type { Loaded } from "./loaded.ts";
import { type SpecState, toStanding } from "./sidecar.ts";
import type { SpecPlace } from "./spec-folders.ts";

/** A new text of a spec. */
export interface Draft {
  /** Ready to be written, in order. */
  readonly pieces: readonly Uint8Array[];
  /** What leads to it from the text before. */
  readonly splices: readonly Splice[];
  /** What it is once it is written. */
  readonly file: SpecFile;
  /** The nodes that it is about, the first ones. */
  readonly about?: readonly string[] | undefined;
}

/** What a change comes to in the text of a spec; no draft where the text stays. */
export interface Planned<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: Draft | undefined;
}

/** A change on its way to the disk. */
export interface Step {
  readonly loaded: Loaded;
  readonly draft: Draft | undefined;
  /** Where the spec will be. */
  readonly target: SpecPlace;
  readonly now: string;
  /** What will be kept beside it. */
  readonly state: SpecState;
  readonly answer: (Omit<KeptAnswer, "revision"> & CallKey) | undefined;
}

/** A plan on the text of a spec. */
export function planned<R>(plan: Plan<R>): (loaded: Loaded, context: ChangeContext) => Planned<R> {
  return ({ snapshot: { model }, file, place }, context) => {
    const { edits, ...change } = plan(model, context);
    if (edits.length === 0) return change;
    const { pieces, size, index, splices } = editText(file.bytes, edits, requireIndex(file, place.path));
    requireSize(size, place.path);
    const bytes = Buffer.concat(pieces, size);
    const changed = model.after(edits);
    const after = new SpecFile(bytes, changed, { index, hash: hashOf(pieces) });
    return { ...change, draft: { pieces, splices, file: after, about: nodesOf(edits, changed) } };
  };
}

/** How a state counts a spec that is about to be written. */
export function toCounted(
  { counter, file, stat, place }: Loaded,
  draft: Draft | undefined,
  target: SpecPlace,
): Pick<SpecState, "counter" | "hash" | "folder" | "before"> {
  const { hash, folder, ino, mtimeMs } = toStanding(place, file, stat);
  if (draft === undefined && target.folder === folder) return { counter, hash, folder };
  const after = { counter: counter + 1, hash: draft?.file.hash ?? hash, folder: target.folder };
  return { ...after, before: { counter, hash, folder, ino, mtimeMs } };
}
