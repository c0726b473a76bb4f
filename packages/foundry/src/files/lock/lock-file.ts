import { link, mkdir, open, readFile, stat, unlink } from "node:fs/promises";
import { dirname } from "node:path";
import { systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import { temporaryPath } from "../durable/temporary-files.ts";
import { isOwnerDead, type LockOwner, leaseMs, parseLockText, toLockText } from "./lock-owner.ts";

/** A lock file as it was when someone looked. */
export interface LockState {
  /** The nonce of its owner; for a file that names none, a name that changes with the file. */
  readonly nonce: string;
  /** Undefined for a file that was cut short or is no lock at all. */
  readonly owner: LockOwner | undefined;
}

/** What is in a lock file now; undefined where there is none. */
export async function readLock(path: string): Promise<LockState | undefined> {
  const text = await unlessMissing(readFile(path, "utf8"));
  if (text === undefined) return undefined;
  const owner = parseLockText(text);
  if (owner !== undefined) return { nonce: owner.nonce, owner };
  const file = await unlessMissing(stat(path, { bigint: true }));
  return file && { nonce: `unnamed-${file.ino}-${file.mtimeNs}`, owner };
}

/** What came of taking a name. */
export interface LockAttempt {
  readonly isAcquired: boolean;
  /** Who has it. */
  readonly current?: LockState | undefined;
}

/**
 * A file of its own that a process links to the names it wants. It is written before it is linked, so that
 * a lock names its owner from its first moment on.
 */
export class LockCandidate {
  readonly owner: LockOwner;
  readonly #path: string;
  readonly #madeAt: number;

  private constructor(owner: LockOwner, path: string) {
    this.owner = owner;
    this.#path = path;
    this.#madeAt = performance.now();
  }

  /** Writes the ticket of an owner beside the lock; the folder is made where it is missing. */
  static async create(lockPath: string, owner: LockOwner): Promise<LockCandidate> {
    const path = await temporaryPath(lockPath);
    try {
      await writeNew(path, owner);
    } catch (err) {
      if (systemErrorCode(err) !== "ENOENT") throw err;
      await mkdir(dirname(lockPath), { recursive: true });
      await writeNew(path, owner);
    }
    return new LockCandidate(owner, path);
  }

  /** Takes a name, or tells who has it; neither where it was let go a moment ago. */
  async tryAcquire(name: string): Promise<LockAttempt> {
    try {
      await link(this.#path, name);
      return { isAcquired: true };
    } catch (err) {
      if (linkless.includes(systemErrorCode(err))) await this.#takeWithoutLink(name);
      else if (systemErrorCode(err) !== "EEXIST") throw err;
    }
    // It may be ours although it seemed to fail, as happens over networks.
    const seen = await readLock(name);
    return { isAcquired: seen?.nonce === this.owner.nonce, current: seen };
  }

  async #takeWithoutLink(name: string): Promise<void> {
    try {
      await writeNew(name, this.owner);
    } catch (err) {
      if (systemErrorCode(err) !== "EEXIST") throw err;
    }
  }

  /** True where the one who wrote a file is gone. */
  isOwnerDead(path: string, { owner }: LockState): Promise<boolean> {
    // Both times are those of the disk: the clocks of two machines may differ.
    const unrenewedMs = async () => {
      const file = await unlessMissing(stat(path));
      if (file === undefined) return 0;
      const now = (await stat(this.#path)).mtimeMs + (performance.now() - this.#madeAt);
      return now - file.mtimeMs;
    };
    return owner === undefined
      ? unrenewedMs().then((age) => age >= leaseMs)
      : isOwnerDead(owner, unrenewedMs);
  }

  /** Removes the ticket; what it was linked to stays. */
  async remove(): Promise<void> {
    await unlessMissing(unlink(this.#path));
  }
}

/** Writes a file that must not be there yet; on a full disk no half of it stays. */
async function writeNew(path: string, owner: LockOwner): Promise<void> {
  const file = await open(path, "wx");
  try {
    await file.writeFile(toLockText(owner));
  } catch (err) {
    await unlink(path).catch(() => {});
    throw err;
  } finally {
    await file.close();
  }
}

/** How file systems say that they have no links. */
const linkless = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EINVAL"];

/** Makes a lock file young again. Its first byte stays what it is: a write has the disk's own time. */
export async function renewLock(path: string): Promise<void> {
  const file = await open(path, "r+");
  try {
    await file.write("{", 0);
  } finally {
    await file.close();
  }
}
