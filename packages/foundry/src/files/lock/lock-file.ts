import { dirname } from "node:path";
import { type FileSystem, systemErrorCode, unlessMissing } from "@foundry-mcp/toolkit/files";
import { temporaryPath } from "../durable/temporary-files.ts";
import { writeAll } from "../durable/write-file.ts";
import { isOwnerDead, type LockOwner, leaseMs, parseLockText, toLockText } from "./lock-owner.ts";
import { newTicket } from "./waiting-line.ts";

/** The content of a lock file at a point in time. */
export interface LockState {
  /** The nonce of the owner. If the file names no owner, the nonce is derived from the file's metadata. */
  readonly nonce: string;
  /** The owner of the lock. Undefined if the file is truncated or is not a lock file. */
  readonly owner: LockOwner | undefined;
}

/** The maximum size of a lock file, which contains only one process and its purpose. */
const maxLockBytes = 64 * 2 ** 10;

/** Reads a lock file. Returns undefined if there is none. */
export async function readLock(fs: FileSystem, path: string): Promise<LockState | undefined> {
  const file = await unlessMissing(fs.readFile(path, maxLockBytes));
  if (file === undefined) return undefined;
  const owner = parseLockText(file.bytes.toString());
  if (owner !== undefined) return { nonce: owner.nonce, owner };
  const { ino, mtimeMs } = file.stat;
  return { nonce: `unnamed-${ino}-${Math.round(mtimeMs * 1_000)}`, owner };
}

/** The result of an attempt to acquire a lock file. */
export interface LockAttempt {
  readonly isAcquired: boolean;
  /** The lock file that already exists. */
  readonly current?: LockState | undefined;
}

/**
 * A temporary file that names its process. The file is hard-linked to the lock's name to acquire the lock. Because
 * the file is written before it is linked, a lock file always names its owner.
 */
export class LockCandidate {
  readonly owner: LockOwner;
  readonly fs: FileSystem;
  /** The position in the line of waiting processes. */
  readonly ticket: string;
  readonly #path: string;
  readonly #createdAt: number;

  private constructor(fs: FileSystem, owner: LockOwner, path: string, ticket: string) {
    this.fs = fs;
    this.owner = owner;
    this.ticket = ticket;
    this.#path = path;
    this.#createdAt = performance.now();
  }

  /** Writes the candidate file into the folder of the lock. The folder is created if it is missing. */
  static async create(fs: FileSystem, lockPath: string, owner: LockOwner): Promise<LockCandidate> {
    const ticket = newTicket();
    const path = await temporaryPath(lockPath, ticket);
    try {
      await createFile(fs, path, owner);
    } catch (err) {
      if (systemErrorCode(err) !== "ENOENT") throw err;
      await fs.mkdir(dirname(lockPath));
      await createFile(fs, path, owner);
    }
    return new LockCandidate(fs, owner, path, ticket);
  }

  /**
   * Tries to acquire a lock file. A failed attempt returns the current holder, unless the holder has just released
   * the lock.
   */
  async tryAcquire(name: string): Promise<LockAttempt> {
    try {
      await this.fs.link(this.#path, name);
      return { isAcquired: true };
    } catch (err) {
      if (linkUnsupported.includes(systemErrorCode(err))) await this.#acquireWithoutLink(name);
      else if (systemErrorCode(err) !== "EEXIST") throw err;
    }
    // On network file systems, a link may have been created although an error is reported.
    const current = await readLock(this.fs, name);
    return { isAcquired: current?.nonce === this.owner.nonce, current: current };
  }

  async #acquireWithoutLink(name: string): Promise<void> {
    try {
      await createFile(this.fs, name, this.owner);
    } catch (err) {
      if (systemErrorCode(err) !== "EEXIST") throw err;
    }
  }

  /** True if the process that wrote a lock file is dead. */
  isOwnerDead(path: string, { owner }: LockState): Promise<boolean> {
    // Both times are taken from the disk, because the clocks of two machines may differ.
    const unrenewedMs = async () => {
      const file = await unlessMissing(this.fs.stat(path));
      if (file === undefined) return 0;
      const now = (await this.fs.stat(this.#path)).mtimeMs + (performance.now() - this.#createdAt);
      return now - file.mtimeMs;
    };
    return owner === undefined
      ? unrenewedMs().then((age) => age >= leaseMs)
      : isOwnerDead(owner, unrenewedMs);
  }

  /** Removes the candidate file. Lock files that were linked to it are kept. */
  async remove(): Promise<void> {
    await unlessMissing(this.fs.unlink(this.#path));
  }
}

/** Creates a file that must not exist. A partial file is removed if the write fails. */
async function createFile(fs: FileSystem, path: string, owner: LockOwner): Promise<void> {
  const file = await fs.create(path);
  try {
    await writeAll(file, [Buffer.from(toLockText(owner))]);
  } catch (err) {
    await fs.unlink(path).catch(() => {});
    throw err;
  } finally {
    await file.close();
  }
}

/** The error codes of file systems without hard links. */
const linkUnsupported = ["EPERM", "ENOTSUP", "EOPNOTSUPP", "ENOSYS", "EXDEV", "EINVAL"];

/** Renews the modification time of a lock file by rewriting its first byte, so that the disk sets the time. */
export async function renewLock(fs: FileSystem, path: string): Promise<void> {
  await fs.writeAt(path, 0, Buffer.from("{"));
}
