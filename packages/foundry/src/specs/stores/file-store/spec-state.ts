import { join } from "node:path";
import { type FileStat, type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { replaceFile, replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { Lease, Leases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";
import { parseState } from "./parse-state.ts";
import type { SpecLocation } from "./spec-locations.ts";

/** A recorded revision of a spec: its text and its folder, which is its status. */
export interface RevisionRecord {
  readonly counter: number;
  readonly hash: string;
  /** Missing in states of older versions, as are the next two. */
  readonly folder?: SpecFolder | undefined;
  /** Identifies the file that existed before the change, to detect that someone restored the same content. */
  readonly ino?: number | undefined;
  readonly mtimeMs?: number | undefined;
  /** The acknowledged revision that another program replaced by this one, until the next change of the text. */
  readonly overwritten?: string | undefined;
}

/** Identifies the version of a spec file. */
export interface FileVersion {
  readonly hash: string;
  readonly folder: SpecFolder;
  readonly ino: number;
  readonly mtimeMs: number;
}

/** The version of a spec file that was read. */
export function toFileVersion({
  location: { folder },
  file: { hash },
  stat: { ino, mtimeMs },
}: Pick<LoadedSpec, "location" | "file" | "stat">): FileVersion {
  return { hash, folder, ino, mtimeMs };
}

/** A response that was stored for a change that may not have been committed. */
export interface PendingResponse {
  readonly name: string;
  /** What proves the commit: a new text, a new folder, or a state without this member. */
  readonly by: "text" | "state" | SpecFolder;
}

/** The state of a spec that is stored outside of its file. */
export interface SpecState extends RevisionRecord {
  /** The revision before the change: the state is written ahead, and the file shows which of the two is current. */
  readonly before?: RevisionRecord | undefined;
  /** The highest node numbers assigned so far. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases?: readonly Lease[] | undefined;
  /** The fencing counter: the number of leases granted so far. */
  readonly fence?: number | undefined;
  readonly pending?: PendingResponse | undefined;
  /** The target folder of a move with a new text, which is staged in `.foundry/moves`. */
  readonly moving?: SpecFolder | undefined;
}

/** The maximum size of a state file: a lease for each of 10,000 tasks takes about 4 MiB. */
const maxStateBytes = 16 * 2 ** 20;

/** The state files of specs, `.foundry/state/<id>.json`. */
export class StateFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, "state");
  }

  /** Reads the state of a spec; undefined if there is none or it is malformed. */
  async read(id: string): Promise<SpecState | undefined> {
    const file = await unlessMissing(this.#fs.readFile(this.#pathOf(id), maxStateBytes));
    return file === undefined ? undefined : parseState(file.bytes);
  }

  /**
   * Writes the state ahead of the spec file; the file's hash shows later which revision it is at. Only leases, numbers
   * and pending responses must survive a crash.
   */
  async write(id: string, state: SpecState, isDurable: boolean): Promise<void> {
    const path = this.#pathOf(id);
    const text = Buffer.from(`${JSON.stringify(state)}\n`);
    await createFolder(this.#fs, this.#folder);
    if (isDurable) await replaceFile(this.#fs, path, [text]);
    else await replaceFileUnsynced(this.#fs, path, text);
  }

  async remove(id: string): Promise<void> {
    await unlessMissing(this.#fs.unlink(this.#pathOf(id)));
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The revision counter of a spec file. */
export function currentCounter(state: SpecState | undefined, version: FileVersion): number {
  if (state === undefined) return 1;
  if (isAtVersion(state, version)) return state.counter;
  // The process that wrote the state did not get to commit the change.
  if (state.before !== undefined && isAtVersion(state.before, version)) return state.before.counter;
  // An editor or git has changed or moved the file.
  return state.counter + 1;
}

/** The acknowledged revision that another program replaced by this version; undefined if none is missing. */
export function findOverwritten(state: SpecState | undefined, version: FileVersion): string | undefined {
  if (state === undefined) return undefined;
  const record = [state, state.before].find((each) => each !== undefined && isAtVersion(each, version));
  const overwritten =
    record === undefined ? (state.overwritten ?? `${state.counter}-${state.hash}`) : record.overwritten;
  // A file that was only moved, or that has its text back, lacks nothing.
  return overwritten?.endsWith(`-${version.hash}`) ? undefined : overwritten;
}

function isAtVersion({ hash, folder, ino, mtimeMs }: RevisionRecord, version: FileVersion): boolean {
  return (
    hash === version.hash &&
    (folder ?? version.folder) === version.folder &&
    (ino ?? version.ino) === version.ino &&
    (mtimeMs ?? version.mtimeMs) === version.mtimeMs
  );
}

/** True if the state belongs to a change that is not in the file yet. */
export function isAhead(state: SpecState | undefined, version: FileVersion): boolean {
  return state?.before !== undefined && !isAtVersion(state, version) && isAtVersion(state.before, version);
}

/** The leases in a state, by task. */
export function leasesOf(state: SpecState | undefined): Leases {
  return new Map((state?.leases ?? []).map((lease) => [lease.task_id, lease]));
}

/** True if a crash left a spec in its new folder without its new text. */
export function isMoveUnfinished(state: SpecState | undefined, version: FileVersion): boolean {
  return (
    state?.moving === version.folder && state.before?.hash === version.hash && state.hash !== version.hash
  );
}

/** True if the change of a pending response was never committed. */
export function isChangeAbandoned(state: SpecState, version: FileVersion): boolean {
  const { pending, before } = state;
  if (pending === undefined) return false;
  if (pending.by === "state") return true;
  return pending.by === "text"
    ? before !== undefined && isAtVersion(before, version)
    : pending.by !== version.folder;
}

/** A spec that was read, and the file that it was read from. */
export interface LoadedSpec {
  readonly location: SpecLocation;
  readonly stat: FileStat;
  readonly file: SpecFile;
  readonly snapshot: SpecSnapshot;
  readonly counter: number;
}
