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
  /** The new text in order. */
  readonly chunks: readonly Uint8Array[];
  /** The replacements that turn the old text into it. */
  readonly splices: readonly Splice[];
  /** The parsed new text. */
  readonly file: SpecFile;
  /** The first few nodes that the change affects, for the history. */
  readonly about?: readonly string[] | undefined;
}

/** A planned change with its new text; without a draft if the text stays. */
export interface PlannedChange<R> extends Omit<Change<R>, "edits"> {
  readonly draft?: TextDraft | undefined;
}

/** A change that is about to be written. */
export interface PendingWrite {
  readonly loaded: LoadedSpec;
  readonly draft: TextDraft | undefined;
  /** The location after the change. */
  readonly target: SpecLocation;
  readonly now: string;
  /** The state before the change; undefined if there was none. */
  readonly stateBefore: SpecState | undefined;
  /** The state after the change. */
  readonly state: SpecState;
  readonly response: (Omit<StoredResponse, "revision"> & IdempotencyKey) | undefined;
}

/** Turns a plan on the model into one that also edits the text. */
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

/** The revision part of the state that is written ahead of a change. */
export function toRevisionRecord(
  loaded: LoadedSpec,
  draft: TextDraft | undefined,
  target: SpecLocation,
): Pick<SpecState, "counter" | "hash" | "folder" | "before" | "overwritten"> {
  const { counter, snapshot } = loaded;
  const { hash, folder, ino, mtimeMs } = toFileVersion(loaded);
  const overwritten = snapshot.overwritten === undefined ? {} : { overwritten: snapshot.overwritten };
  if (draft === undefined && target.folder === folder) return { counter, hash, folder, ...overwritten };
  const after = { counter: counter + 1, hash: draft?.file.hash ?? hash, folder: target.folder };
  return { ...after, before: { counter, hash, folder, ino, mtimeMs, ...overwritten } };
}
