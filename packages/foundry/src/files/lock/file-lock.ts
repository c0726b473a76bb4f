import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { type FileSystem, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { InProcessQueue } from "./in-process-queue.ts";
import { LockCandidate, readLock, renewLock } from "./lock-file.ts";
import { createOwner, type LockOwner, renewalMs } from "./lock-owner.ts";
import { LockWait } from "./lock-wait.ts";
import { breakLock, removeStaleLocks } from "./stale-locks.ts";
import { findTicketsBefore, hasWaiters } from "./waiting-line.ts";

/** Options of acquiring a lock. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /**
   * The time to wait before the call fails with RESOURCE_BUSY.
   * @default 10_000
   */
  readonly waitMs?: number | undefined;
  /** The reason for holding the lock, reported to processes that wait too long. */
  readonly purpose?: string | undefined;
}

/** A lock that this process holds until it releases the lock or dies. */
export interface HeldLock {
  readonly path: string;
  readonly owner: LockOwner;
  /**
   * Reads the lock file again. This function is called just before a commit point, to detect that another process has
   * taken over the lock.
   */
  isHeld(): Promise<boolean>;
  /** True if another caller of this process or another process waits for the lock. */
  isAwaited(): Promise<boolean>;
  /** Releases the lock. Further calls do nothing. */
  release(): Promise<void>;
}

const queue = new InProcessQueue();

/**
 * Acquires the lock file at a path. The lock has at most one holder among all processes that use the folder. The lock
 * of a dead process is taken over at once, and the lock of a live process is never taken over.
 */
export async function acquireLock(
  fs: FileSystem,
  path: string,
  { signal, waitMs = 10_000, purpose }: LockOptions = {},
): Promise<HeldLock> {
  const lockPath = resolve(path);
  const wait = new LockWait(signal, waitMs);
  let leave: (() => void) | undefined;
  try {
    leave = await queue.enter(lockPath, wait.stop);
    const owner = await acquireFile(fs, lockPath, purpose, wait.stop);
    return new FileLock(fs, lockPath, owner, leave);
  } catch (err) {
    leave?.();
    const failure = await wait.toFailure(fs, lockPath, err);
    throw toFileError(failure, `lock ${JSON.stringify(basename(lockPath))}`, basename(lockPath));
  } finally {
    wait.end();
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
    const turn = new Turn(candidate, path);
    let hasBroken = false;
    for (let tries = 0; ; tries++) {
      const ahead = await turn.countAhead();
      const { isAcquired, current } =
        ahead === 0 ? await candidate.tryAcquire(path) : { isAcquired: false, current: undefined };
      if (isAcquired) break;
      if (
        current !== undefined &&
        (await candidate.isOwnerDead(path, current)) &&
        (await breakLock(path, current, candidate))
      ) {
        hasBroken = true;
      } else await pause(toBackoff(tries, ahead), undefined, { signal: stop });
    }
    // If one process has died, others may have died too, and no other code would ever remove their files.
    if (hasBroken) await removeStaleLocks(fs, dirname(path)).catch(() => {});
    return candidate.owner;
  } finally {
    await candidate.remove();
  }
}

/**
 * The time in milliseconds for which a free lock is left to each process that is ahead in the line. A process may be
 * stopped, or may have died on another machine.
 */
const passMs = 50;

/** Decides whether a waiting process may try to acquire a lock. */
class Turn {
  readonly #candidate: LockCandidate;
  readonly #path: string;
  #seen = "";
  #freeSince: number | undefined;

  constructor(candidate: LockCandidate, path: string) {
    this.#candidate = candidate;
    this.#path = path;
  }

  /** Returns the number of processes that go first; 0 also if these processes leave the lock free. */
  async countAhead(): Promise<number> {
    const { fs, ticket } = this.#candidate;
    const ahead = await findTicketsBefore(fs, this.#path, ticket);
    if (ahead.length === 0) return 0;
    const current = await readLock(fs, this.#path);
    const isFree = current === undefined || (await this.#candidate.isOwnerDead(this.#path, current));
    const seen = `${ahead.join()} ${current?.nonce}`;
    if (!isFree || seen !== this.#seen) this.#freeSince = undefined;
    this.#seen = seen;
    if (!isFree) return ahead.length;
    this.#freeSince ??= performance.now();
    return performance.now() - this.#freeSince > passMs * ahead.length ? 0 : ahead.length;
  }
}

/**
 * Returns a random delay in milliseconds, so that waiting processes do not poll in step. The process that is next in
 * the line polls more often than the others.
 */
function toBackoff(tries: number, ahead: number): number {
  const most = ahead === 0 ? Math.min(4, 1 + tries / 8) : Math.min(20, 2 + 3 * ahead);
  return 1 + Math.random() * (most - 1);
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
    // A failed renewal needs no handling, because isHeld() reports a lost lock.
    this.#renewal = setInterval(() => renewLock(fs, path).catch(() => {}), renewalMs).unref();
  }

  async isHeld(): Promise<boolean> {
    if (this.#released !== undefined) return false;
    return (await readLock(this.#fs, this.path))?.nonce === this.owner.nonce;
  }

  async isAwaited(): Promise<boolean> {
    return queue.hasWaiters(this.path) || (await hasWaiters(this.#fs, this.path));
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
      this.#leave();
    }
  }
}
