import { editText } from "../../../files/json-text/edit-text.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { Change, ChangeContext, Plan } from "../../model/change.ts";
import { hashOf, requireIndex, requireSize, SpecFile } from "../spec-file.ts";
import { affectedNodes, type IdempotencyKey } from "../spec-store.ts";
import type { StoredResponse } from "../stored-response.ts";
import type { SpecLocation } from "./spec-locations.ts";
import { type LoadedSpec, type SpecState, toFileVersion } from "./spec-state.ts";

/** A new text of a spec. */
export interface TextDraft {
  /** Ready to be written, in order. */
  readonly chunks: readonly Uint8Array[];
  /** What leads to it from the text before. */
  readonly splices: readonly Splice[];
  /** What it is once it is written. */
  readonly file: SpecFile;
  /** The nodes that it is about, the first ones. */
  readonly about?: readonly string[] | undefined;
}

/** What a change comes to in the text of a spec; no draft where the text stays. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: TextDraft | undefined;
}

/** A change on its way to the disk. */
export interface PendingWrite {
  readonly loaded: LoadedSpec;
  readonly draft: TextDraft | undefined;
  /** Where the spec will be. */
  readonly target: SpecLocation;
  readonly now: string;
  /** What will be kept beside it. */
  readonly state: SpecState;
  readonly response: (Omit<StoredResponse, "revision"> & IdempotencyKey) | undefined;
}

/** A plan on the text of a spec. */
export function planOnText<R>(
  plan: Plan<R>,
): (loaded: LoadedSpec, context: ChangeContext) => PlannedChange<R> {
  return ({ snapshot: { model }, file, location }, context) => {
    const { edits, ...change } = plan(model, context);
    if (edits.length === 0) return change;
    const { chunks, size, index, splices } = editText(file.bytes, edits, requireIndex(file, location.path));
    requireSize(size, location.path);
    const bytes = Buffer.concat(chunks, size);
    const changed = model.after(edits);
    const after = new SpecFile(bytes, changed, { index, hash: hashOf(chunks) });
    return { ...change, draft: { chunks, splices, file: after, about: affectedNodes(edits, changed) } };
  };
}

/** How a state counts a spec that is about to be written. */
export function toRevisionRecord(
  { counter, file, stat, location }: LoadedSpec,
  draft: TextDraft | undefined,
  target: SpecLocation,
): Pick<SpecState, "counter" | "hash" | "folder" | "before"> {
  const { hash, folder, ino, mtimeMs } = toFileVersion(location, file, stat);
  if (draft === undefined && target.folder === folder) return { counter, hash, folder };
  const after = { counter: counter + 1, hash: draft?.file.hash ?? hash, folder: target.folder };
  return { ...after, before: { counter, hash, folder, ino, mtimeMs } };
}
