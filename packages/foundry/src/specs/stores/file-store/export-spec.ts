import type { FileSystem } from "../../../files/durable/file-system.ts";
import { createFile, moveFile, replaceFile } from "../../../files/durable/write-file.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import type { HistoryOrigin, HistoryStep } from "../history/history-log.ts";
import { toSplices } from "../history/to-splices.ts";
import { counterOf, type RevisionText, type SpecExport } from "../spec-export.ts";
import { hashOf, parseSpecFile } from "../spec-file.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { specExists } from "../store-failures.ts";
import type { Sidecar } from "./sidecar.ts";
import { findLocation, toLocation } from "./spec-locations.ts";
import { type LoadedSpec, leasesOf } from "./spec-state.ts";

/** What parcels are made of and unpacked with. */
export interface ExportDeps {
  readonly fs: FileSystem;
  readonly root: string;
  readonly sidecar: Sidecar;
  readonly history: HistoryFolder;
}

/** Packs a spec; what it was before is read when it is asked for. */
export async function exportSpec(
  { sidecar }: ExportDeps,
  { location: { id, folder }, file, snapshot }: LoadedSpec,
  entries: readonly HistoryEntry[],
  textAt: (revision: string) => Promise<Uint8Array>,
): Promise<SpecExport> {
  const state = await sidecar.state(id);
  return {
    ...{ id, folder, revision: snapshot.revision, text: file.bytes },
    marks: state?.marks ?? {},
    leases: [...leasesOf(state).values()],
    fence: state?.fence ?? 0,
    responses: await sidecar.responses(id),
    async *past() {
      for (const entry of entries) yield { entry, text: await textAt(entry.revision) };
    },
  };
}

/** Unpacks a spec, under its lock: what is kept beside it first, the history last. */
export async function importSpec(
  { fs, root, sidecar, history }: ExportDeps,
  parcel: SpecExport,
  overwrite: boolean,
  lock: HeldLock,
): Promise<void> {
  const { id, folder, marks, fence, leases, responses } = parcel;
  const known = await findLocation(fs, root, id);
  const text = Buffer.from(parcel.text);
  const location = toLocation(root, folder, id);
  if (known !== undefined && !overwrite) {
    // What was cut short before has the text and the count of the parcel, and lacks its history.
    const isOurs = known.folder === folder && text.equals(await fs.readFile(known.file));
    if (!isOurs || (await sidecar.state(id))?.counter !== counterOf(parcel.revision))
      throw specExists(id, known.folder);
  }
  parseSpecFile(text, location.path);
  const state = { counter: counterOf(parcel.revision), hash: hashOf([text]), folder, marks, leases, fence };
  await sidecar.import(id, state, responses);
  const options = { root, beforeRename: () => requireHeld(lock) };
  if (known === undefined) await createFile(fs, location.file, [text], options);
  else {
    if (known.folder !== folder) await moveFile(fs, known.file, location.file, options);
    await replaceFile(fs, location.file, [text], options);
  }
  const { origin, steps } = await toSteps(parcel.past());
  if (origin !== undefined) await history.import(id, origin, steps, location.file);
}

/** The steps that lead through texts. A revision is called by the hash of its text, whatever it was called before. */
async function toSteps(past: AsyncIterable<RevisionText>) {
  const steps: { readonly step: HistoryStep; readonly splices: readonly Splice[] }[] = [];
  let later: { readonly text: Uint8Array; readonly origin: HistoryOrigin } | undefined;
  for await (const { entry, text } of past) {
    const { revision, at, author, action, about } = entry;
    const origin = { to: `${counterOf(revision)}-${hashOf([text])}`, at, author, action, about };
    if (later !== undefined)
      steps.push({ step: { from: origin.to, ...later.origin }, splices: toSplices(text, later.text) });
    later = { text, origin };
  }
  return { origin: later?.origin, steps: steps.reverse() };
}
