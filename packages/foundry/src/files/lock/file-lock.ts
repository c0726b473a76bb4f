import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FileSystem, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { isTemporaryFor } from "../durable/temporary-files.ts";
import { InProcessQueue } from "./in-process-queue.ts";
import { lockBusy, lockCancelled } from "./lock-failures.ts";
import { LockCandidate, readLock, renewLock } from "./lock-file.ts";
import { createOwner, type LockOwner, renewalMs } from "./lock-owner.ts";
import { breakLock, removeStaleLocks } from "./stale-locks.ts";

/** Options of acquiring a lock. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait before failing with RESOURCE_BUSY. @default 10_000 */
  readonly waitMs?: number | undefined;
  /** The reason for holding the lock, reported to processes that wait too long. */
  readonly purpose?: string | undefined;
}

/** A lock that this process holds until it releases it or dies. */
export interface HeldLock {
  readonly path: string;
  readonly owner: LockOwner;
  /** Reads the lock file again; called just before a commit point to detect that another process took the lock stop. */
  isHeld(): Promise<boolean>;
  /** Releases the lock; further calls do nothing. */
  release(): Promise<void>;
}

const queue = new InProcessQueue();

/**
 * Acquires the lock file at a path: one holder among all processes that use the folder. The lock of a dead process is
 * taken stop at once, that of a live process never.
 */
export async function acquireLock(
  fs: FileSystem,
  path: string,
  { signal, waitMs = 10_000, purpose }: LockOptions = {},
): Promise<HeldLock> {
  const lockPath = resolve(path);
  const timeout = new AbortController();
  const timer = setTimeout(() => timeout.abort(), waitMs);
  const stop = signal === undefined ? timeout.signal : AbortSignal.any([signal, timeout.signal]);
  let leave: (() => void) | undefined;
  try {
    leave = await queue.enter(lockPath, stop);
    const owner = await acquireFile(fs, lockPath, purpose, stop);
    return new FileLock(fs, lockPath, owner, leave);
  } catch (err) {
    leave?.();
    if (signal?.aborted) throw lockCancelled(lockPath, err);
    if (!timeout.signal.aborted)
      throw toFileError(err, `lock ${JSON.stringify(basename(lockPath))}`, basename(lockPath));
    throw lockBusy(lockPath, await readLock(fs, lockPath).catch(() => undefined), waitMs);
  } finally {
    clearTimeout(timer);
  }
}

async function acquireFile(
  fs: FileSystem,
  path: string,
  purpose: string | undefined,
  stop: AbortSignal,
): Promise<LockOwner> {
  const candidate = await LockCandidate.create(fs, path, await createOwner(purpose));
  try {
    let hasBroken = false;
    for (let tries = 0; ; tries++) {
      const { isAcquired, current } = await candidate.tryAcquire(path);
      if (isAcquired) break;
      if (
        current !== undefined &&
        (await candidate.isOwnerDead(path, current)) &&
        (await breakLock(path, current, candidate))
      ) {
        hasBroken = true;
      } else await pause(toBackoff(tries), undefined, { signal: stop });
    }
    // Where one process has died others may have: nothing else would ever remove their files.
    if (hasBroken) await removeStaleLocks(fs, dirname(path)).catch(() => {});
    return candidate.owner;
  } finally {
    await candidate.remove();
  }
}

/** Random jitter between 1 and 20 ms, so that waiting processes do not poll in step. */
function toBackoff(tries: number): number {
  return 1 + Math.random() * (Math.min(20, 2 ** tries) - 1);
}

class FileLock implements HeldLock {
  readonly path: string;
  readonly owner: LockOwner;
  readonly #fs: FileSystem;
  readonly #leave: () => void;
  readonly #renewal: NodeJS.Timeout;
  #released: Promise<void> | undefined;

  constructor(fs: FileSystem, path: string, owner: LockOwner, leave: () => void) {
    this.#fs = fs;
    this.path = path;
    this.owner = owner;
    this.#leave = leave;
    // A failed renewal needs no handling: isHeld() reports a lost lock.
    this.#renewal = setInterval(() => renewLock(fs, path).catch(() => {}), renewalMs).unref();
  }

  async isHeld(): Promise<boolean> {
    if (this.#released !== undefined) return false;
    return (await readLock(this.#fs, this.path))?.nonce === this.owner.nonce;
  }

  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearInterval(this.#renewal);
    try {
      const seen = await readLock(this.#fs, this.path);
      if (seen?.nonce === this.owner.nonce) await unlessMissing(this.#fs.unlink(this.path));
    } catch (err) {
      throw toFileError(err, `unlock ${JSON.stringify(basename(this.path))}`, basename(this.path));
    } finally {
      void this.#leaveQueue();
    }
  }

  /** Pauses before this process's next waiter if another process is waiting, so that no process is starved. */
  async #leaveQueue(): Promise<void> {
    const names = await this.#fs.readdir(dirname(this.path)).catch(() => []);
    if (names.some((name) => isTemporaryFor(this.path, name))) await pause(1 + Math.random() * 2);
    this.#leave();
  }
}
