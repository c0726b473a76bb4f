import { randomBytes } from "node:crypto";
import { setTimeout as pause } from "node:timers/promises";
import type { ChangedSpec, ChangeSource } from "./change-source.ts";

/** A change of a spec, in the form in which the page receives it. */
export interface SpecChange extends ChangedSpec {
  readonly kind: "spec";
  readonly spec_id: string;
}

/** A change and its id, with which a client resumes after the change. */
export interface FeedEntry {
  readonly id: string;
  readonly change: SpecChange;
}

/** The begin of a subscription. */
export interface Subscription {
  /** True if `missed` contains every change since the id that the client named. */
  readonly isResumed: boolean;
  /** The changes since that id, oldest first. */
  readonly missed: readonly FeedEntry[];
  /** The id from which a client resumes if it receives no change. */
  readonly position: string;
  unsubscribe(): void;
}

/** The options of a feed. */
export interface ChangeFeedOptions {
  /** Opens the source when the first client subscribes. */
  readonly open: () => Promise<ChangeSource>;
  /** The number of changes that are kept for clients that resume. @default 1,000 */
  readonly keptChanges?: number | undefined;
  /** The time in milliseconds between two attempts to read a spec while the store is unavailable. @default 500 */
  readonly retryMs?: number | undefined;
}

/** The maximum number of specs whose last state is remembered to leave out repeated notices of one change. */
const maxKnown = 10_000;

/**
 * The changes of all specs in one order. A notice of the store names only the spec, and one change may cause several
 * notices, so the feed reads the spec and reports it if its state is new. The feed numbers the changes, and keeps the
 * last ones for clients that lost their connection. From the first subscription on, it watches until it is closed,
 * because a client that resumes must also get the changes of the time without any client.
 */
export class ChangeFeed {
  /**
   * The identity of this feed. Numbers that another or an earlier process has assigned are not valid in this process.
   */
  readonly id = randomBytes(9).toString("base64url");
  readonly #options: ChangeFeedOptions;
  readonly #keptChanges: number;
  readonly #listeners = new Set<(entry: FeedEntry) => void>();
  readonly #known = new Map<string, string>();
  readonly #waiting = new Set<string>();
  #kept: readonly FeedEntry[] = [];
  #count = 0;
  #source: Promise<ChangeSource> | undefined;
  #stopWatching: (() => void) | undefined;
  #reading: Promise<void> | undefined;
  #isReading = false;
  readonly #closing = new AbortController();

  constructor(options: ChangeFeedOptions) {
    this.#options = options;
    this.#keptChanges = options.keptChanges ?? 1_000;
  }

  /** Subscribes to changes after the change with this id; without an id, after the last change. */
  async subscribe(after: string | undefined, listener: (entry: FeedEntry) => void): Promise<Subscription> {
    await this.#start();
    const missed = this.#findAfter(after);
    this.#listeners.add(listener);
    return {
      isResumed: missed !== undefined,
      missed: missed ?? [],
      position: this.#idOf(this.#count),
      unsubscribe: () => void this.#listeners.delete(listener),
    };
  }

  /** Stops watching; subscribers get no further change. */
  async close(): Promise<void> {
    this.#closing.abort();
    this.#stopWatching?.();
    this.#listeners.clear();
    await this.#reading;
  }

  #idOf(number: number): string {
    return `${this.id}.${number}`;
  }

  async #start(): Promise<void> {
    this.#source ??= this.#open();
    await this.#source;
  }

  async #open(): Promise<ChangeSource> {
    try {
      const source = await this.#options.open();
      if (!this.#closing.signal.aborted) this.#stopWatching = source.watch((id) => this.#receive(id, source));
      // A notice about a spec in the state that every subscriber finds is no change. The states are read after the
      // watch has begun, so that none is older than the first notice.
      await this.#remember(source);
      return source;
    } catch (thrown) {
      // The next subscriber tries again.
      this.#stopWatching?.();
      this.#source = undefined;
      throw thrown;
    }
  }

  /** Returns the kept changes after an id; undefined if some of them are not kept any more. */
  #findAfter(after: string | undefined): readonly FeedEntry[] | undefined {
    const [, feed, digits = ""] = /^([\w-]+)\.(\d{1,15})$/.exec(after ?? "") ?? [];
    const number = Number(digits);
    const oldest = this.#count - this.#kept.length;
    if (feed !== this.id || number > this.#count || number < oldest) return undefined;
    return this.#kept.slice(number - oldest);
  }

  #receive(id: string, source: ChangeSource): void {
    this.#waiting.add(id);
    if (this.#isReading) return;
    this.#isReading = true;
    this.#reading = this.#readWaiting(source);
  }

  async #readWaiting(source: ChangeSource): Promise<void> {
    const { signal } = this.#closing;
    for (;;) {
      const [id] = this.#waiting;
      if (id === undefined || signal.aborted) {
        // This value is set before the promise resolves, so that a notification in between starts another read.
        this.#isReading = false;
        return;
      }
      // A notice that arrives while the spec is read puts the spec back, because it may be about a later change.
      this.#waiting.delete(id);
      try {
        const { spec, fingerprint } = await source.read(id);
        if (!signal.aborted && this.#isNew(id, fingerprint))
          this.#publish({ kind: "spec", spec_id: id, ...spec });
      } catch {
        this.#waiting.add(id);
        await pause(this.#options.retryMs ?? 500, undefined, { ref: false, signal }).catch(() => {});
      }
    }
  }

  async #remember(source: ChangeSource): Promise<void> {
    for (const [id, { fingerprint }] of await source.readAll())
      if (!this.#known.has(id)) this.#isNew(id, fingerprint);
  }

  #isNew(id: string, fingerprint: string): boolean {
    if (this.#known.get(id) === fingerprint) return false;
    this.#known.delete(id);
    this.#known.set(id, fingerprint);
    for (const oldest of this.#known.keys()) {
      if (this.#known.size <= maxKnown) break;
      this.#known.delete(oldest);
    }
    return true;
  }

  #publish(change: SpecChange): void {
    this.#count += 1;
    const entry = { id: this.#idOf(this.#count), change };
    this.#kept = [...this.#kept, entry].slice(-this.#keptChanges);
    for (const listener of this.#listeners) listener(entry);
  }
}
