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

/** A requested change. */
export interface ChangeRequest<R> {
  readonly id: string;
  readonly plan: ChunkPlan<R>;
  /** The folder to move the spec to. @default its current folder */
  readonly to?: SpecFolder | undefined;
}

/** The parts of a store that the writer uses. */
export interface WriterDeps {
  readonly database: Database;
  readonly workspace: number;
  readonly cache: SpecCache<CachedSpec>;
  readonly keepRevisions: number;
  readonly now: () => string;
  /** Identifies the store's own notifications. */
  readonly origin: string;
}

/** After a conflict, this many changes of the spec lock its row at once, because an optimistic write would probably conflict replayed. */
const lockedChanges = 32;

/**
 * Changes specs with optimistic locking: a change is planned on the cached spec and written only if the row version is
 * unchanged. After a conflict, changes of that spec use row locks for a while.
 */
export class SpecWriter {
  readonly #deps: WriterDeps;
  readonly #queue = new InProcessQueue();
  /** The number of remaining changes per spec that lock the row. */
  readonly #lockedChanges = new Map<string, number>();

  constructor(deps: WriterDeps) {
    this.#deps = deps;
  }

  /** Makes a change; the changes of one spec within a process are serialized. */
  async change<R>(request: ChangeRequest<R>, options: ChangeOptions): Promise<ChangeResult<R>> {
    const { signal = new AbortController().signal } = options;
    const leave = await this.#queue.enter(request.id, signal).catch((cause: unknown) => {
      throw cancelled(`The call was cancelled while it waited for the spec "${request.id}"`, { cause });
    });
    try {
      return await this.#make(request, options, signal);
    } finally {
      leave();
    }
  }

  async #make<R>(
    request: ChangeRequest<R>,
    options: ChangeOptions,
    signal: AbortSignal,
  ): Promise<ChangeResult<R>> {
    const { database } = this.#deps;
    const operation = `change the spec "${request.id}"`;
    const direct: Queryable = { query: (statement) => database.query(operation, statement) };
    const attempt = new Attempt(this.#deps, request, options);
    signal.throwIfAborted();
    const left = this.#lockedChanges.get(request.id) ?? 0;
    if (left === 0) {
      const made = await attempt.make(direct);
      if (made !== undefined) return this.#cache(made);
      this.#lockedChanges.set(request.id, lockedChanges);
      signal.throwIfAborted();
    } else if (left === 1) this.#lockedChanges.delete(request.id);
    else this.#lockedChanges.set(request.id, left - 1);
    const made = await database.transaction(operation, async (queryable) => {
      await lockSpec(queryable, this.#deps.workspace, request.id);
      const made = await attempt.make(queryable);
      if (made === undefined) throw new Error(`The spec "${request.id}" changed although its row is locked`);
      return made;
    });
    return this.#cache(made);
  }

  /** Caches the spec after the change is committed. */
  #cache<R>({ cached, changed }: AttemptResult<R>): ChangeResult<R> {
    this.#deps.cache.set(cached.snapshot.id, cached);
    return changed;
  }
}

/** The result of an attempt, and the spec after it. */
interface AttemptResult<R> {
  readonly cached: CachedSpec;
  readonly changed: ChangeResult<R>;
}

/** One change, made exactly once even if connections are lost: a written attempt is recognized by its nonce. */
class Attempt<R> {
  readonly #deps: WriterDeps;
  readonly #request: ChangeRequest<R>;
  readonly #options: ChangeOptions;
  readonly #nonce: string;
  /** The attempt that was sent and has not been confirmed. */
  #sent: (AttemptResult<R> & { readonly turn: number }) | undefined;

  constructor(deps: WriterDeps, request: ChangeRequest<R>, options: ChangeOptions) {
    this.#deps = deps;
    this.#request = request;
    this.#options = options;
    this.#nonce = `${deps.origin}.${randomBytes(9).toString("base64url")}`;
  }

  /** Undefined after a conflict with another server. */
  async make(queryable: Queryable): Promise<AttemptResult<R> | undefined> {
    const { workspace, cache: known, now: clock, keepRevisions } = this.#deps;
    const { id, plan } = this.#request;
    const { ifRevision, author = "foundry-mcp", dryRun = false, key } = this.#options;
    const sent = this.#sent;
    if (sent !== undefined && (await isWritten(queryable, sent.cached.spec, sent.turn, this.#nonce)))
      return sent;
    const cached = await readSpec(queryable, workspace, id, known.get(id));
    const { snapshot } = cached;
    const now = clock();
    const replayed = dryRun ? undefined : key && (await findResponse<R>(queryable, workspace, id, key, now));
    if (replayed !== undefined)
      return { cached, changed: { ...replayed, snapshot, isChanged: false, isRepeated: true } };
    if (ifRevision !== undefined && ifRevision !== snapshot.revision)
      throw versionConflict(id, ifRevision, snapshot.revision);
    const { folder, marks, leases } = cached;
    const newToken = `${cached.fence + 1}-${randomBytes(4).toString("hex")}`;
    const planned = await plan(queryable, cached, { now, author, folder, marks, leases, newToken });
    if (planned === undefined) return undefined;
    const { result, warnings = [], draft } = planned;
    const to = this.#request.to ?? folder;
    const isChanged = draft !== undefined || to !== folder;
    const hasRowChange = planned.leases !== undefined || planned.marks !== undefined || key !== undefined;
    if (dryRun || !(isChanged || hasRowChange))
      return { cached, changed: { result, warnings, snapshot, isChanged: false } };
    const { turn, after } = toWrite(cached, planned, { ...this.#options, now, to, keepRevisions });
    const made = { cached: after, changed: { result, warnings, snapshot: after.snapshot, isChanged } };
    const response = key && toResponseRow(key, now, after.snapshot.revision, result, warnings);
    this.#sent = { ...made, turn: cached.turn };
    if (await writeSpec(queryable, { ...turn, response }, this.#nonce)) return made;
    this.#sent = undefined;
    return undefined;
  }
}
