import { join } from "node:path";
import { type FileStat, type FileSystem, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { replaceFile, replaceFileUnsynced } from "../../../files/durable/write-file.ts";
import type { Lease, Leases } from "../../model/lease.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecFile } from "../spec-file.ts";
import type { SpecSnapshot } from "../spec-store.ts";
import { parseState } from "./parse-state.ts";
import { type Shelf, type SpecLocation, shelfOf } from "./spec-locations.ts";

/** A recorded revision of a spec: the hash of its text, and its folder, which is its status. */
export interface RevisionRecord {
  readonly counter: number;
  readonly hash: string;
  /** The folder. States that older versions wrote have neither this field nor `ino` and `mtimeMs`. */
  readonly folder?: Shelf | undefined;
  /**
   * The inode and `mtimeMs` identify the file that existed before the change. A difference shows that another
   * program restored the same content.
   */
  readonly ino?: number | undefined;
  readonly mtimeMs?: number | undefined;
  /**
   * The acknowledged revision that another program replaced with this revision. The value is kept until the
   * next change of the text.
   */
  readonly overwritten?: string | undefined;
  /** The leases at this revision, in the record before a change of leases. */
  readonly leases?: readonly Lease[] | undefined;
}

/** Identifies the version of a spec file. */
export interface FileVersion {
  readonly hash: string;
  readonly folder: Shelf;
  readonly ino: number;
  readonly mtimeMs: number;
}

/** Returns the version of a spec file that was read. */
export function toFileVersion({
  location,
  file: { hash },
  stat: { ino, mtimeMs },
}: Pick<LoadedSpec, "location" | "file" | "stat">): FileVersion {
  return { hash, folder: shelfOf(location), ino, mtimeMs };
}

/** The responses to changes that are written together and may not have been committed. */
export interface PendingResponses {
  readonly names: readonly string[];
  /** The sign that the changes were committed: a new text, a new folder, or a state without this member. */
  readonly by: "text" | "state" | Shelf;
}

/** The state of a spec, which is stored in a separate file. */
export interface SpecState extends RevisionRecord {
  /**
   * The revision before the change. The state is written before the spec file, and the spec file shows which
   * of the two revisions is current.
   */
  readonly before?: RevisionRecord | undefined;
  /** The highest node numbers assigned so far. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases?: readonly Lease[] | undefined;
  /** The fencing counter, which is the number of leases granted so far. */
  readonly fence?: number | undefined;
  readonly pending?: PendingResponses | undefined;
  /** The target folder of a move that also changes the text. The new text is staged in `.foundry/moves`. */
  readonly moving?: SpecFolder | undefined;
}

/** The maximum size of a state file in bytes. For comparison, 10,000 leases take about 4 MiB. */
const maxStateBytes = 16 * 2 ** 20;

/** The state files of specs. The state of a spec is in the file `.foundry/state/<id>.json`. */
export class StateFiles {
  readonly #fs: FileSystem;
  readonly #folder: string;

  constructor(fs: FileSystem, folder: string) {
    this.#fs = fs;
    this.#folder = join(folder, "state");
  }

  /** Reads the state of a spec; undefined if the state is missing or malformed. */
  async read(id: string): Promise<SpecState | undefined> {
    const file = await unlessMissing(this.#fs.readFile(this.#pathOf(id), maxStateBytes));
    return file === undefined ? undefined : parseState(file.bytes);
  }

  /**
   * Writes the state before the spec file. Later, the hash of the spec file shows which revision the file
   * has. Only leases, node numbers and pending responses must survive a crash.
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

/** Returns the revision counter of a spec file. */
export function currentCounter(state: SpecState | undefined, version: FileVersion): number {
  if (state === undefined) return 1;
  if (isAtVersion(state, version)) return state.counter;
  // The process that wrote the state ended before the change was committed.
  if (state.before !== undefined && isAtVersion(state.before, version)) return state.before.counter;
  // An editor or git has changed or moved the file.
  return state.counter + 1;
}

/**
 * Returns the acknowledged revision that another program replaced with this version; undefined if no revision
 * was lost.
 */
export function findOverwritten(state: SpecState | undefined, version: FileVersion): string | undefined {
  if (state === undefined) return undefined;
  const record = [state, state.before].find((each) => each !== undefined && isAtVersion(each, version));
  const overwritten =
    record === undefined ? (state.overwritten ?? `${state.counter}-${state.hash}`) : record.overwritten;
  // No revision was lost if the file was only moved, or if it has its earlier text again.
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
function isAhead(state: SpecState | undefined, version: FileVersion): boolean {
  return state?.before !== undefined && !isAtVersion(state, version) && isAtVersion(state.before, version);
}

/** Returns the leases in a state, by task id. */
export function leasesOf(state: SpecState | undefined): Leases {
  return new Map((state?.leases ?? []).map((lease) => [lease.task_id, lease]));
}

/**
 * Returns the state of a spec file at a version. If the state belongs to changes that the file does not contain yet, the
 * leases before these changes apply.
 */
export function stateAt(state: SpecState | undefined, version: FileVersion): SpecState | undefined {
  const { before } = state ?? {};
  return state !== undefined && isAhead(state, version) && before?.leases !== undefined
    ? { ...state, leases: before.leases }
    : state;
}

/** True if a crash left a spec in its new folder without its new text. */
export function isMoveUnfinished(state: SpecState | undefined, version: FileVersion): boolean {
  return (
    state?.moving === version.folder && state.before?.hash === version.hash && state.hash !== version.hash
  );
}

/** True if the changes of the pending responses were never committed. */
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
