import type { FileSystem } from "@foundry-mcp/toolkit/files";
import { createFile, moveFile, replaceFile } from "../../../files/durable/write-file.ts";
import type { Splice } from "../../../files/json-text/splice.ts";
import type { HeldLock } from "../../../files/lock/file-lock.ts";
import { requireHeld } from "../../../files/lock/lock-failures.ts";
import { maxBytes } from "../../model/text-limits.ts";
import type { HistoryFolder } from "../history/history-folder.ts";
import type { HistoryOrigin, HistoryStep } from "../history/history-log.ts";
import { toSplices } from "../history/to-splices.ts";
import { counterOf, type RevisionText, type SpecExport } from "../spec-export.ts";
import { hashOf, parseSpecFile } from "../spec-file.ts";
import type { HistoryEntry } from "../spec-store.ts";
import { specExists } from "../store-failures.ts";
import type { Sidecar } from "./sidecar.ts";
import { findLocation, findTrashed, toLocation } from "./spec-locations.ts";
import { type LoadedSpec, leasesOf } from "./spec-state.ts";

/** The parts of a store that are needed for exports and imports. */
export interface ExportDeps {
  readonly fs: FileSystem;
  readonly root: string;
  readonly sidecar: Sidecar;
  readonly history: HistoryFolder;
}

/** Exports a spec. Earlier revisions are read only on demand. */
export async function exportSpec(
  { sidecar }: ExportDeps,
  { location: { id, folder }, file, snapshot }: LoadedSpec,
  entries: readonly HistoryEntry[],
  readRevision: (revision: string) => Promise<Uint8Array>,
): Promise<SpecExport> {
  const state = await sidecar.state(id);
  return {
    ...{ id, folder, revision: snapshot.revision, text: file.bytes },
    marks: state?.marks ?? {},
    leases: [...leasesOf(state).values()],
    fence: state?.fence ?? 0,
    responses: await sidecar.responses(id),
    async *past() {
      for (const entry of entries) yield { entry, text: await readRevision(entry.revision) };
    },
  };
}

/** Imports a spec while its lock is held. The sidecar is written first, then the file, then the history. */
export async function importSpec(
  { fs, root, sidecar, history }: ExportDeps,
  exported: SpecExport,
  overwrite: boolean,
  lock: HeldLock,
): Promise<void> {
  const { id, folder, marks, fence, leases, responses } = exported;
  const known = await findLocation(fs, root, id);
  const text = Buffer.from(exported.text);
  const location = toLocation(root, folder, id);
  if (!overwrite && (await findTrashed(fs, root, id)) !== undefined) throw specExists(id, "trash");
  if (known !== undefined && !overwrite) {
    // An interrupted import leaves the same text and counter, but no history. Such an import may be repeated.
    const isOurs = known.folder === folder && text.equals((await fs.readFile(known.file, maxBytes)).bytes);
    if (!isOurs || (await sidecar.state(id))?.counter !== counterOf(exported.revision))
      throw specExists(id, known.folder);
  }
  parseSpecFile(text, location.path);
  const state = { counter: counterOf(exported.revision), hash: hashOf([text]), folder, marks, leases, fence };
  await sidecar.import(id, state, responses);
  const options = { root, beforeRename: () => requireHeld(lock) };
  if (known === undefined) await createFile(fs, location.file, [text], options);
  else {
    if (known.folder !== folder) await moveFile(fs, known.file, location.file, options);
    await replaceFile(fs, location.file, [text], options);
  }
  const { origin, steps } = await toSteps(exported.past());
  if (origin !== undefined) await history.import(id, origin, steps, location.file);
}

/**
 * Converts revision texts to history steps. As in every file store, a revision contains the hash of its text.
 */
async function toSteps(past: AsyncIterable<RevisionText>) {
  const steps: { readonly step: HistoryStep; readonly splices: readonly Splice[] }[] = [];
  let later: { readonly text: Uint8Array; readonly origin: HistoryOrigin } | undefined;
  for await (const { entry, text } of past) {
    const { revision, ...made } = entry;
    const origin = { to: `${counterOf(revision)}-${hashOf([text])}`, ...made };
    if (later !== undefined)
      steps.push({ step: { from: origin.to, ...later.origin }, splices: toSplices(text, later.text) });
    later = { text, origin };
  }
  return { origin: later?.origin, steps: steps.reverse() };
}
