import { join } from "node:path";
import { type FileSystem, toFileError } from "@foundry-mcp/toolkit/files";
import { createFolder } from "../../../files/durable/create-folder.ts";
import { acquireLock, type HeldLock, type LockOptions } from "../../../files/lock/file-lock.ts";
import { LockWait } from "../../../files/lock/lock-wait.ts";
import { type TakeChange, toTake } from "../queued-change.ts";
import { isSpecId } from "../spec-store.ts";
import { specNotFound } from "../store-failures.ts";
import { type ChangeRequest, sharesWrite, type TextChange } from "./text-change.ts";

/** The parts of a store that the queue uses. */
export interface QueueDeps {
  readonly fs: FileSystem;
  /** The folder of the locks. */
  readonly folder: string;
  /** The maximum time in milliseconds for which a change waits for the lock of the spec. */
  readonly waitMs: number;
  /** Fails if this program must not change the files of the store. Called before each lock. */
  readonly requireChangeable: () => Promise<void>;
  /**
   * Makes the changes that `take` returns, and returns a function that settles them. `take` returns undefined if the
   * next change must be made separately, or if there is no further change.
   */
  readonly make: (take: TakeChange<ChangeRequest<unknown>>, lock: HeldLock) => Promise<() => void>;
  /** Called when the lock of a spec was acquired. */
  readonly onAcquired: () => void;
}

/** The changes of one spec that wait for the lock. */
interface Line {
  readonly waiting: TextChange[];
  /** Ends the wait for the lock when no change waits any more. */
  stop: AbortController;
}

/**
 * The changes that wait for the locks of their specs. The changes of a spec are made in the order of their arrival.
 * Changes that wait at the same time are made under one lock, and are written together.
 */
export class ChangeQueue {
  readonly #deps: QueueDeps;
  readonly #lines = new Map<string, Line>();

  constructor(deps: QueueDeps) {
    this.#deps = deps;
  }

  /** Adds a change. The change is settled when it was made, when it failed, or when its wait ended. */
  async add(change: TextChange): Promise<void> {
    const { id } = change.request;
    const lockPath = this.#pathOf(id);
    const wait = new LockWait(change.options.signal, this.#deps.waitMs);
    let line = this.#lines.get(id);
    const isFirst = line === undefined;
    line ??= { waiting: [], stop: new AbortController() };
    const current = line;
    const { waiting } = current;
    const giveUp = () => {
      wait.end();
      waiting.splice(waiting.indexOf(queued), 1);
      if (waiting.length === 0) current.stop.abort();
      void wait.toFailure(this.#deps.fs, lockPath, wait.stop.reason).then(change.reject);
    };
    const queued: TextChange = {
      ...change,
      onTaken: () => {
        wait.end();
        wait.stop.removeEventListener("abort", giveUp);
      },
    };
    waiting.push(queued);
    if (wait.stop.aborted) return giveUp();
    wait.stop.addEventListener("abort", giveUp, { once: true });
    if (!isFirst) return;
    this.#lines.set(id, current);
    await this.#makeAll(id, current);
  }

  /** Runs work while the lock of a spec is held. */
  async withLock<T>(
    id: string,
    work: (lock: HeldLock) => Promise<T>,
    { signal, waitMs = this.#deps.waitMs }: Pick<LockOptions, "signal" | "waitMs"> = {},
  ): Promise<T> {
    const lock = await this.#acquire(id, signal, waitMs);
    try {
      return await work(lock);
    } finally {
      await lock.release();
    }
  }

  /** Makes the changes of a spec until none is left. */
  async #makeAll(id: string, line: Line): Promise<void> {
    const { waiting } = line;
    while (waiting.length > 0) {
      line.stop = new AbortController();
      let settle = () => {};
      try {
        const work = async (lock: HeldLock) => {
          settle = await this.#makeWaiting(waiting, lock);
        };
        // Each change ends its own wait, so the wait for the lock has no time limit.
        await this.withLock(id, work, { signal: line.stop.signal, waitMs: Number.POSITIVE_INFINITY });
      } catch (err) {
        // If all changes have given up, a change that has arrived since then begins a new wait.
        if (!line.stop.signal.aborted) for (const change of takeAll(waiting)) change.reject(err);
      }
      settle();
    }
    this.#lines.delete(id);
  }

  /**
   * Makes the waiting changes, and keeps the lock as long as no other caller or process waits for it. Returns a function
   * that settles the last changes. A caller is answered after the lock was released, so that its process may end.
   */
  async #makeWaiting(waiting: TextChange[], lock: HeldLock): Promise<() => void> {
    for (;;) {
      const settle = await this.#deps.make(toTake(waiting, sharesWrite), lock);
      if (waiting.length === 0 || (await lock.isAwaited().catch(() => true))) return settle;
      settle();
    }
  }

  async #acquire(id: string, signal: AbortSignal | undefined, waitMs: number): Promise<HeldLock> {
    // An invalid id must not become part of the path of a lock.
    if (!isSpecId(id)) throw specNotFound(id);
    const { fs, folder, onAcquired, requireChangeable } = this.#deps;
    await requireChangeable();
    await createFolder(fs, folder).catch((err: unknown) => {
      throw toFileError(err, "make the folder for locks", ".foundry/locks");
    });
    const lock = await acquireLock(fs, this.#pathOf(id), { signal, waitMs, purpose: `changing ${id}` });
    onAcquired();
    return lock;
  }

  #pathOf(id: string): string {
    return join(this.#deps.folder, `${id}.lock`);
  }
}

function takeAll(waiting: TextChange[]): readonly TextChange[] {
  for (const { onTaken } of waiting) onTaken?.();
  return waiting.splice(0);
}
