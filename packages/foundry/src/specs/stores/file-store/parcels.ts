import type { FileSystem } from "../../../files/durable/file-system.ts";
import { createFile, moveFile, replaceFile } from "../../../files/durable/write-file.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import type { HistoryOrigin, HistoryStep } from "../history/log-line.ts";
import { toSplices } from "../history/to-splices.ts";
import { hashOf, parseSpecFile } from "../spec-file.ts";
import { counterIn, type PastText, type SpecParcel } from "../spec-parcel.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { specExists } from "../store-failures.ts";
import type { Beside } from "./beside.ts";
import type { Loaded } from "./loaded.ts";
import { leasesOf } from "./sidecar.ts";
import { findPlace, toPlace } from "./spec-folders.ts";

/** What parcels are made of and unpacked with. */
export interface ParcelParts {
  readonly fs: FileSystem;
  readonly root: string;
  readonly beside: Beside;
  readonly history: HistoryFolder;
}

/** Packs a spec; what it was before is read when it is asked for. */
export async function packSpec(
  { beside }: ParcelParts,
  { place: { id, folder }, file, snapshot }: Loaded,
  entries: readonly HistoryEntry[],
  textAt: (revision: string) => Promise<Uint8Array>,
): Promise<SpecParcel> {
  const state = await beside.state(id);
  return {
    ...{ id, folder, revision: snapshot.revision, text: file.bytes },
    marks: state?.marks ?? {},
    leases: [...leasesOf(state).values()],
    fence: state?.fence ?? 0,
    answers: await beside.answers(id),
    async *past() {
      for (const entry of entries) yield { entry, text: await textAt(entry.revision) };
    },
  };
}

/** Unpacks a spec, under its lock: what is kept beside it first, the history last. */
export async function unpackSpec(
  { fs, root, beside, history }: ParcelParts,
  parcel: SpecParcel,
  overwrite: boolean,
  lock: HeldLock,
): Promise<void> {
  const { id, folder, marks, fence, leases, answers } = parcel;
  const known = await findPlace(fs, root, id);
  const text = Buffer.from(parcel.text);
  const place = toPlace(root, folder, id);
  if (known !== undefined && !overwrite) {
    // What was cut short before has the text and the count of the parcel, and lacks its history.
    const isOurs = known.folder === folder && text.equals(await fs.readFile(known.file));
    if (!isOurs || (await beside.state(id))?.counter !== counterIn(parcel.revision))
      throw specExists(id, known.folder);
  }
  parseSpecFile(text, place.path);
  const state = { counter: counterIn(parcel.revision), hash: hashOf([text]), folder, marks, leases, fence };
  await beside.adopt(id, state, answers);
  const options = { root, beforeRename: () => requireHeld(lock) };
  if (known === undefined) await createFile(fs, place.file, [text], options);
  else {
    if (known.folder !== folder) await moveFile(fs, known.file, place.file, options);
    await replaceFile(fs, place.file, [text], options);
  }
  const { origin, steps } = await toSteps(parcel.past());
  if (origin !== undefined) await history.adopt(id, origin, steps, place.file);
}

/** The steps that lead through texts. A revision is called by the hash of its text, whatever it was called before. */
async function toSteps(past: AsyncIterable<PastText>) {
  const steps: { readonly step: HistoryStep; readonly splices: readonly Splice[] }[] = [];
  let later: { readonly text: Uint8Array; readonly origin: HistoryOrigin } | undefined;
  for await (const { entry, text } of past) {
    const { revision, at, author, action, about } = entry;
    const origin = { to: `${counterIn(revision)}-${hashOf([text])}`, at, author, action, about };
    if (later !== undefined)
      steps.push({ step: { from: origin.to, ...later.origin }, splices: toSplices(text, later.text) });
    later = { text, origin };
  }
  return { origin: later?.origin, steps: steps.reverse() };
}
