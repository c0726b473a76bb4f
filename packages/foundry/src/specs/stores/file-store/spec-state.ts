import { join } from "node:path";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import type { FileStat, FileSystem } from "../../../files/durable/file-system.ts";
import { replaceFile, replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { Lease, Leases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";
import type { SpecLocation } from "./spec-locations.ts";

/** A revision that a spec was at: its text and its folder, which is its status. */
interface RevisionRecord {
  readonly counter: number;
  readonly hash: string;
  /** Undefined in states of old, as the next two. */
  readonly folder?: SpecFolder | undefined;
  /** Of the file itself, where it was there before the state: what was put back by others is another file. */
  readonly ino?: number | undefined;
  readonly mtimeMs?: number | undefined;
}

/** What tells a spec from what it was before. */
export interface FileVersion {
  readonly hash: string;
  readonly folder: SpecFolder;
  readonly ino: number;
  readonly mtimeMs: number;
}

/** How a spec stands. */
export function toFileVersion(
  { folder }: SpecLocation,
  { hash }: SpecFile,
  { ino, mtimeMs }: Pick<FileStat, "ino" | "mtimeMs">,
): FileVersion {
  return { hash, folder, ino, mtimeMs };
}

/** An answer that was kept for a change which may not have been made. */
export interface PendingResponse {
  readonly name: string;
  /** What tells that the change was made: another text, another folder, or a state without this. */
  readonly by: "text" | "state" | SpecFolder;
}

/** What is kept of a spec beside its file, so that the file need not know. */
export interface SpecState extends RevisionRecord {
  /** The revision before, until the change is made for sure: which of the two there is, the file tells. */
  readonly before?: RevisionRecord | undefined;
  /** The highest numbers that were given to nodes. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases?: readonly Lease[] | undefined;
  /** How many leases were given out. */
  readonly fence?: number | undefined;
  readonly pending?: PendingResponse | undefined;
  /** The folder that the spec goes to together with a new text, which waits in `.foundry/moves`. */
  readonly moving?: SpecFolder | undefined;
}

/** The state of specs, one small file for each under `.foundry/state`. */
export class StateFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, "state");
  }

  /** The state of a spec; undefined where there is none, or where what there is cannot be read. */
  async read(id: string): Promise<SpecState | undefined> {
    const bytes = await unlessMissing(this.#fs.readFile(this.#pathOf(id)));
    return bytes === undefined ? undefined : parseState(bytes);
  }

  /**
   * Writes the state before the spec itself: which revision the file is at, it says by its hash. Only what must
   * not be given again has to survive a crash.
   */
  async write(id: string, state: SpecState, isDurable: boolean): Promise<void> {
    const path = this.#pathOf(id);
    const text = Buffer.from(`${JSON.stringify(state)}\n`);
    await createFolder(this.#fs, this.#folder);
    if (isDurable) await replaceFile(this.#fs, path, [text]);
    else await replaceFileUnsynced(this.#fs, path, text);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The count of the revision that a spec is at. */
export function currentCounter(state: SpecState | undefined, standing: FileVersion): number {
  if (state === undefined) return 1;
  if (isAt(state, standing)) return state.counter;
  // Whoever wrote the state did not get to write the spec.
  if (state.before !== undefined && isAt(state.before, standing)) return state.before.counter;
  // An editor or git has changed the file, or put it into another folder.
  return state.counter + 1;
}

function isAt({ hash, folder, ino, mtimeMs }: RevisionRecord, standing: FileVersion): boolean {
  return (
    hash === standing.hash &&
    (folder ?? standing.folder) === standing.folder &&
    (ino ?? standing.ino) === standing.ino &&
    (mtimeMs ?? standing.mtimeMs) === standing.mtimeMs
  );
}

/** The leases that a state tells of. */
export function leasesOf(state: SpecState | undefined): Leases {
  return new Map((state?.leases ?? []).map((lease) => [lease.task_id, lease]));
}

/** True where a spec has come to its new folder, and its new text has not come after it. */
export function isMoveUnfinished(state: SpecState | undefined, at: FileVersion): boolean {
  return state?.moving === at.folder && state.before?.hash === at.hash && state.hash !== at.hash;
}

/** True where the change that a pending answer belongs to was never made. */
export function isChangeAbandoned(state: SpecState, standing: FileVersion): boolean {
  const { pending, before } = state;
  if (pending === undefined) return false;
  if (pending.by === "state") return true;
  return pending.by === "text"
    ? before !== undefined && isAt(before, standing)
    : pending.by !== standing.folder;
}

function parseState(bytes: Uint8Array): SpecState | undefined {
  try {
    const state = JSON.parse(Buffer.from(bytes).toString()) as Partial<SpecState>;
    const { counter, hash, marks, leases } = state;
    if (typeof counter !== "number" || typeof hash !== "string") return undefined;
    return { ...state, counter, hash, marks: marks ?? {}, leases: Array.isArray(leases) ? leases : [] };
  } catch {
    return undefined;
  }
}

/** A spec that was read, and the file that it was read from. */
export interface LoadedSpec {
  readonly location: SpecLocation;
  readonly stat: FileStat;
  readonly file: SpecFile;
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
}
