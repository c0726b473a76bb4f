import { randomBytes } from "node:crypto";
import { cancelled } from "@foundry-mcp/contract";
import { InProcessQueue } from "../../../files/lock/in-process-queue.ts";
import type { Database, Queryable } from "../../../postgres/database.ts";
import type { SpecFolder } from "../../model/spec-document.ts";
import type { SpecCache } from "../spec-cache.ts";
import type { ChangeOptions, ChangeResult } from "../spec-store.ts";
import { versionConflict } from "../store-failures.ts";
import type { CachedSpec } from "./cached-spec.ts";
import { type ChunkPlan, toWrite } from "./plan-write.ts";
import { lockSpec, readSpec } from "./read-spec.ts";
import { findResponse, toResponseRow } from "./responses.ts";
import { isWritten, writeSpec } from "./write-spec.ts";

/** A change that is wanted. */
export interface ChangeRequest<R> {
  readonly id: string;
  readonly plan: ChunkPlan<R>;
  /** Where the spec goes. @default it stays */
  readonly to?: SpecFolder | undefined;
}

/** What a writer works with. */
export interface WriterDeps {
  readonly database: Database;
  readonly workspace: number;
  readonly cache: SpecCache<CachedSpec>;
  readonly keepRevisions: number;
  readonly now: () => string;
  /** Tells the store's own notices from those of others. */
  readonly origin: string;
}

/** After a lost race so many changes of the spec ask others to wait at once: who races again would lose again. */
const wary = 32;

/**
 * Changes specs. A change is planned on what is known of the spec and written on condition that it is still the same;
 * where others are faster, changes lock the row and make them wait, for a while.
 */
export class SpecWriter {
  readonly #parts: WriterDeps;
  readonly #queue = new InProcessQueue();
  /** How many more changes of each spec make others wait. */
  readonly #wary = new Map<string, number>();

  constructor(parts: WriterDeps) {
    this.#parts = parts;
  }

  /** Makes a change; those of one process are made one after the other. */
  async change<R>(wanted: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    const { signal = new AbortController().signal } = options;
    const leave = await this.#queue.enter(wanted.id, signal).catch((cause: unknown) => {
      throw cancelled(`The call was cancelled while it waited for the spec "${wanted.id}"`, { cause });
    });
    try {
      return await this.#make(wanted, options, signal);
    } finally {
      leave();
    }
  }

  async #make<R>(
    wanted: ChangeRequest<R>,
    options: ChangeOptions,
    signal: AbortSignal,
  ): Promise<ChangeResult<R>> {
    const { database } = this.#parts;
    const deed = `change the spec "${wanted.id}"`;
    const direct: Queryable = { query: (statement) => database.query(deed, statement) };
    const attempt = new Attempt(this.#parts, wanted, options);
    signal.throwIfAborted();
    const left = this.#wary.get(wanted.id) ?? 0;
    if (left === 0) {
      const made = await attempt.make(direct);
      if (made !== undefined) return this.#keep(made);
      this.#wary.set(wanted.id, wary);
      signal.throwIfAborted();
    } else if (left === 1) this.#wary.delete(wanted.id);
    else this.#wary.set(wanted.id, left - 1);
    const made = await database.transaction(deed, async (queryable) => {
      await lockSpec(queryable, this.#parts.workspace, wanted.id);
      const made = await attempt.make(queryable);
      if (made === undefined) throw new Error(`The spec "${wanted.id}" changed although its row is locked`);
      return made;
    });
    return this.#keep(made);
  }

  /** Remembers the spec as it is now that the change is sure to be made. */
  #keep<R>({ held, changed }: Made<R>): ChangeResult<R> {
    this.#parts.cache.set(held.snapshot.id, held);
    return changed;
  }
}

/** What was made of a change, and the spec after it. */
interface Made<R> {
  readonly held: CachedSpec;
  readonly changed: ChangeResult<R>;
}

/** A change on its way: whatever is lost on the way, it is made once. */
class Attempt<R> {
  readonly #parts: WriterDeps;
  readonly #wanted: ChangeRequest<R>;
  readonly #options: ChangeOptions;
  readonly #nonce: string;
  /** What was sent, and has not been answered. */
  #sent: (Made<R> & { readonly turn: number }) | undefined;

  constructor(parts: WriterDeps, wanted: ChangeRequest<R>, options: ChangeOptions) {
    this.#parts = parts;
    this.#wanted = wanted;
    this.#options = options;
    this.#nonce = `${parts.origin}.${randomBytes(9).toString("base64url")}`;
  }

  /** Undefined where somebody else was faster. */
  async make(queryable: Queryable): Promise<Made<R> | undefined> {
    const { workspace, cache: known, now: clock, keepRevisions } = this.#parts;
    const { id, plan } = this.#wanted;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = this.#options;
    const sent = this.#sent;
    if (sent !== undefined && (await isWritten(queryable, sent.held.spec, sent.turn, this.#nonce)))
      return sent;
    const held = await readSpec(queryable, workspace, id, known.get(id));
    const { snapshot } = held;
    const now = clock();
    const again = dryRun ? undefined : key && (await findResponse<R>(queryable, workspace, id, key, now));
    if (again !== undefined)
      return { held, changed: { ...again, snapshot, isChanged: false, isRepeated: true } };
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const { folder, marks, leases } = held;
    const newToken = `${held.fence + 1}-${randomBytes(4).toString("hex")}`;
    const planned = await plan(queryable, held, { now, author, folder, marks, leases, newToken });
    if (planned === undefined) return undefined;
    const { result, warnings = [], draft } = planned;
    const to = this.#wanted.to ?? folder;
    const isChanged = draft !== undefined || to !== folder;
    const isKept = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
    if (dryRun || !(isChanged || isKept))
      return { held, changed: { result, warnings, snapshot, isChanged: false } };
    const { turn, after } = toWrite(held, planned, { ...this.#options, now, to, keepRevisions });
    const made = { held: after, changed: { result, warnings, snapshot: after.snapshot, isChanged } };
    const response = key && toResponseRow(key, now, after.snapshot.revision, result, warnings);
    this.#sent = { ...made, turn: held.turn };
    if (await writeSpec(queryable, { ...turn, response }, this.#nonce)) return made;
    this.#sent = undefined;
    return undefined;
  }
}
