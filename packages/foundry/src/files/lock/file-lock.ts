import { readdir, unlink } from "node:fs/promises";
import { basename, dirname, resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../durable/file-error.ts";
import { isTemporaryFor } from "../durable/temporary-files.ts";
import { InProcessQueue } from "./in-process-queue.ts";
import { lockBusy, lockCancelled } from "./lock-failures.ts";
import { LockCandidate, readLock, renewLock } from "./lock-file.ts";
import { createOwner, type LockOwner, renewalMs } from "./lock-owner.ts";
import { breakLock, removeStaleLocks } from "./stale-locks.ts";

/** How a lock is waited for. */
export interface LockOptions {
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for others before RESOURCE_BUSY. @default 10_000 */
  readonly waitMs?: number | undefined;
  /** What it is held for: whoever waits too long is told. */
  readonly purpose?: string | undefined;
}

/** A lock that this process holds until it releases it or dies. */
export interface HeldLock {
  readonly path: string;
  readonly owner: LockOwner;
  /** Reads the lock file again: asked just before a rename, it tells whether the lock was taken over. */
  isHeld(): Promise<boolean>;
  /** Lets the next one in; a second time it does nothing. */
  release(): Promise<void>;
}

const queue = new InProcessQueue();

/**
 * Waits for the lock file at this path and takes it: one holder among all processes that use the same
 * folder. The lock of a dead holder is taken over at once, that of a live one never.
 */
export async function acquireLock(
  path: string,
  { signal, waitMs = 10_000, purpose }: LockOptions = {},
): Promise<HeldLock> {
  const lockPath = resolve(path);
  const patience = new AbortController();
  const timer = setTimeout(() => patience.abort(), waitMs);
  const over = signal === undefined ? patience.signal : AbortSignal.any([signal, patience.signal]);
  let leave: (() => void) | undefined;
  try {
    leave = await queue.enter(lockPath, over);
    const owner = await takeLock(lockPath, purpose, over);
    return new FileLock(lockPath, owner, leave);
  } catch (err) {
    leave?.();
    if (signal?.aborted) throw lockCancelled(lockPath, err);
    if (!patience.signal.aborted)
      throw toFileError(err, `lock ${JSON.stringify(basename(lockPath))}`, basename(lockPath));
    throw lockBusy(lockPath, await readLock(lockPath).catch(() => undefined), waitMs);
  } finally {
    clearTimeout(timer);
  }
}

async function takeLock(path: string, purpose: string | undefined, over: AbortSignal): Promise<LockOwner> {
  const ticket = await LockCandidate.create(path, await createOwner(purpose));
  try {
    let hasBroken = false;
    for (let tries = 0; ; tries++) {
      const { isAcquired, current } = await ticket.tryAcquire(path);
      if (isAcquired) break;
      if (
        current !== undefined &&
        (await ticket.isOwnerDead(path, current)) &&
        (await breakLock(path, current, ticket))
      ) {
        hasBroken = true;
      } else await pause(toBackoff(tries), undefined, { signal: over });
    }
    // Where one has died others may have: what they left is in nobody's way, and would stay for ever.
    if (hasBroken) await removeStaleLocks(dirname(path)).catch(() => {});
    return ticket.owner;
  } finally {
    await ticket.remove();
  }
}

/** From 1 ms to 20, by chance: those who wait together must not ask together. */
function toBackoff(tries: number): number {
  return 1 + Math.random() * (Math.min(20, 2 ** tries) - 1);
}

class FileLock implements HeldLock {
  readonly path: string;
  readonly owner: LockOwner;
  readonly #leave: () => void;
  readonly #renewal: NodeJS.Timeout;
  #released: Promise<void> | undefined;

  constructor(path: string, owner: LockOwner, leave: () => void) {
    this.path = path;
    this.owner = owner;
    this.#leave = leave;
    // A renewal that fails is seen by nobody but those who ask whether the lock is held.
    this.#renewal = setInterval(() => renewLock(path).catch(() => {}), renewalMs).unref();
  }

  async isHeld(): Promise<boolean> {
    if (this.#released !== undefined) return false;
    return (await readLock(this.path))?.nonce === this.owner.nonce;
  }

  release(): Promise<void> {
    this.#released ??= this.#release();
    return this.#released;
  }

  async #release(): Promise<void> {
    clearInterval(this.#renewal);
    try {
      const seen = await readLock(this.path);
      if (seen?.nonce === this.owner.nonce) await unlessMissing(unlink(this.path));
    } catch (err) {
      throw toFileError(err, `unlock ${JSON.stringify(basename(this.path))}`, basename(this.path));
    } finally {
      void this.#letOthersIn();
    }
  }

  /** Gives other processes a chance before the next of this one; where none waits, time would be lost. */
  async #letOthersIn(): Promise<void> {
    const names = await readdir(dirname(this.path)).catch(() => []);
    if (names.some((name) => isTemporaryFor(this.path, name))) await pause(1 + Math.random() * 2);
    this.#leave();
  }
}
