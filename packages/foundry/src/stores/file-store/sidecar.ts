import { join } from "node:path";
import type { Lease, Leases } from "../../specs/lease.ts";
import type { SpecFolder } from "../../specs/spec-document.ts";
import { unlessMissing } from "../durable/file-error.ts";
import type { FileSystem } from "../durable/file-system.ts";
import { makeFolder } from "../durable/make-folder.ts";
import { swapFile } from "../durable/swap-file.ts";
import { replaceFile } from "../durable/write-file.ts";

/** A revision that a spec was at. */
interface Counted {
  readonly counter: number;
  readonly hash: string;
}

/** An answer that was kept for a change which may not have been made. */
export interface PendingAnswer {
  readonly name: string;
  /** What tells that the change was made: another text, another folder, or a state without this. */
  readonly by: "text" | "state" | SpecFolder;
}

/** What is kept of a spec beside its file, so that the file need not know. */
export interface SpecState extends Counted {
  /** The revision before: which of the two there is, the file tells. */
  readonly before?: Counted | undefined;
  /** The highest numbers that were given to nodes. */
  readonly marks: Readonly<Record<string, number>>;
  readonly leases?: readonly Lease[] | undefined;
  /** How many leases were given out. */
  readonly fence?: number | undefined;
  readonly pending?: PendingAnswer | undefined;
  /** The folder that the spec goes to together with a new text, which waits in `.foundry/moves`. */
  readonly moving?: SpecFolder | undefined;
}

/** The state of specs, one small file for each under `.foundry/state`. */
export class Sidecar {
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
    await makeFolder(this.#fs, this.#folder);
    if (isDurable) await replaceFile(this.#fs, path, [text]);
    else await swapFile(this.#fs, path, text);
  }

  #pathOf(id: string): string {
    return join(this.#folder, `${id}.json`);
  }
}

/** The count of the revision that a file with this hash is. */
export function counterOf(state: SpecState | undefined, hash: string): number {
  if (state === undefined) return 1;
  if (state.hash === hash) return state.counter;
  // Whoever wrote the state did not get to write the spec.
  if (state.before?.hash === hash) return state.before.counter;
  // An editor or git has changed the file.
  return state.counter + 1;
}

/** The leases that a state tells of. */
export function leasesOf(state: SpecState | undefined): Leases {
  return new Map((state?.leases ?? []).map((lease) => [lease.task_id, lease]));
}

/** True where a spec has come to its new folder, and its new text has not come after it. */
export function isHalfMoved(state: SpecState | undefined, at: { hash: string; folder: SpecFolder }): boolean {
  return state?.moving === at.folder && state.before?.hash === at.hash && state.hash !== at.hash;
}

/** True where the change that a pending answer belongs to was never made. */
export function isVoid(state: SpecState, { hash, folder }: { hash: string; folder: SpecFolder }): boolean {
  const { pending, before } = state;
  if (pending === undefined) return false;
  if (pending.by === "state") return true;
  return pending.by === "text" ? before?.hash === hash : pending.by !== folder;
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
