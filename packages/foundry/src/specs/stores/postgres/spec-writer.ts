import { cancelled } from "@foundry-mcp/contract";
import type { Database, Queryable } from "../../../postgres/database.ts";
import { settled, toTake } from "../queued-change.ts";
import type { SpecCache } from "../spec-cache.ts";
import type { ChangeOptions, ChangeResult } from "../spec-store.ts";
import type { CachedSpec } from "./cached-spec.ts";
import { ChangeAttempt } from "./change-attempt.ts";
import { type ChangeRequest, type ChunkedChange, sharesWrite } from "./chunk-change.ts";
import { lockSpec } from "./read-spec.ts";

/** The parts of a store that the writer uses. */
export interface WriterDeps {
  readonly database: Database;
  readonly workspace: number;
  readonly cache: SpecCache<CachedSpec>;
  readonly keepRevisions: number;
  readonly now: () => string;
  /** The id that identifies the notifications of this store. */
  readonly origin: string;
}

/**
 * The number of writes of a spec that lock its row after a conflict. During these writes, an optimistic
 * write would probably conflict again.
 */
const lockedWrites = 32;
/** The maximum number of changes that are written together. */
const maxChanges = 64;

/**
 * Changes specs with optimistic locking. Changes of a spec that wait at the same time are planned one after the other on
 * the cached spec, and written together if the row version is unchanged. After a conflict, the next writes of the same
 * spec use row locks.
 */
export class SpecWriter {
  readonly #deps: WriterDeps;
  /** The changes that wait, by spec id, in the order of their arrival. */
  readonly #lines = new Map<string, ChunkedChange[]>();
  /** The number of further writes that lock the row, by spec id. */
  readonly #lockedWrites = new Map<string, number>();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Makes a change. The changes of one spec are made in the order of their arrival within a process. */
  change<R>(request: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    return settled<R, ChangeRequest<unknown>>(request, options, (change) => this.#add(change));
  }

  async #add(change: ChunkedChange): Promise<void> {
    const { id } = change.request;
    const { signal } = change.options;
    const known = this.#lines.get(id);
    const line = known ?? [];
    const giveUp = () => {
      line.splice(line.indexOf(queued), 1);
      const message = `The call was cancelled while it waited for the spec "${id}"`;
      change.reject(cancelled(message, { cause: signal?.reason }));
    };
    const queued: ChunkedChange = {
      ...change,
      onTaken: () => signal?.removeEventListener("abort", giveUp),
    };
    line.push(queued);
    if (signal?.aborted) return giveUp();
    signal?.addEventListener("abort", giveUp, { once: true });
    if (known !== undefined) return;
    this.#lines.set(id, line);
    while (line.length > 0) await this.#makeWaiting(id, line);
    this.#lines.delete(id);
  }

  /** Makes the changes that wait now, and settles them. */
  async #makeWaiting(id: string, line: ChunkedChange[]): Promise<void> {
    const take = toTake(line, sharesWrite);
    const taken: ChunkedChange[] = [];
    for (let next = take(); next !== undefined; next = taken.length < maxChanges ? take() : undefined)
      taken.push(next);
    let together = taken.length;
    while (taken.length > 0) {
      const attempt = new ChangeAttempt(this.#deps, id, taken.slice(0, together));
      try {
        const { cached, settle } = await this.#make(id, attempt);
        this.#deps.cache.set(cached.snapshot.id, cached);
        for (const each of settle) each();
        taken.splice(0, settle.length);
        together = taken.length;
      } catch (err) {
        // A change does not fail because of another change. If it is not known whether the changes were written, they
        // must not be made again.
        if (together > 1 && !attempt.wasSent) {
          together = 1;
          continue;
        }
        for (const { reject } of taken.splice(0, together)) reject(err);
        together = taken.length;
      }
    }
  }

  async #make(id: string, attempt: ChangeAttempt) {
    const { database, workspace } = this.#deps;
    const operation = `change the spec "${id}"`;
    const direct: Queryable = { query: (statement) => database.query(operation, statement) };
    const left = this.#lockedWrites.get(id) ?? 0;
    if (left === 0) {
      const made = await attempt.make(direct);
      if (made !== undefined) return made;
      this.#lockedWrites.set(id, lockedWrites);
      attempt.requireWanted();
    } else if (left === 1) this.#lockedWrites.delete(id);
    else this.#lockedWrites.set(id, left - 1);
    return database.transaction(operation, async (queryable) => {
      await lockSpec(queryable, workspace, id);
      const made = await attempt.make(queryable);
      if (made === undefined) throw new Error(`The spec "${id}" changed although its row is locked`);
      return made;
    });
  }
}
