import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Database, DedicatedConnection, Statement } from "./database.ts";

/** The longest pause between two attempts to connect. */
const maxPauseMs = 2_000;

/** The objects whose changes a process listens for. */
export interface ListenerOptions {
  readonly database: Database;
  readonly channel: string;
  /**
   * The id of this process among the senders. The process ignores its own notifications, because it reports its own
   * changes directly.
   */
  readonly origin: string;
  /** Selects the id and the version of every object that may change, as `id` and `turn`. */
  readonly versions: Statement;
  /**
   * False to report only changes after the first connection.
   * @default true
   */
  readonly reportsFirst?: boolean | undefined;
  readonly onChange: (id: string) => void;
}

/**
 * Listens for changes by other processes (LISTEN). A notification only wakes waiters, which then read the changed
 * object. After a reconnect, objects whose version has changed are also reported, because notifications may have been
 * missed.
 */
export class ChangeListener {
  readonly #options: ListenerOptions;
  #seenTurns: ReadonlyMap<string, number> = new Map();
  #isFirst: boolean;
  #client: DedicatedConnection | undefined;
  #isClosed = false;

  constructor(options: ListenerOptions) {
    this.#options = options;
    this.#isFirst = options.reportsFirst === false;
    void this.#listen();
  }

  close(): void {
    this.#isClosed = true;
    void this.#client?.end().catch(() => {});
    this.#client = undefined;
  }

  async #listen(): Promise<void> {
    for (let tries = 0; !this.#isClosed; tries++) {
      try {
        const client = await this.#options.database.connect();
        this.#client = client;
        // Listening does not keep the process alive.
        client.unref();
        const ended = new Promise<void>((resolve) => client.once("end", resolve));
        client.on("notification", ({ payload = "" }) => this.#receive(payload));
        await client.query(`LISTEN ${this.#options.channel}`);
        // close() was called while the connection was being established.
        if (this.#isClosed) return await client.end();
        await this.#catchUp(client);
        tries = 0;
        await ended;
      } catch {
        await this.#client?.end().catch(() => {});
      }
      await pause(Math.min(50 * 2 ** tries, maxPauseMs), undefined, { ref: false });
    }
  }

  #receive(payload: string): void {
    const [origin = "", id = ""] = payload.split(" ");
    // A process reports its own changes directly, so notifications of these changes are ignored.
    if (origin !== this.#options.origin) this.#options.onChange(id);
  }

  /** Reports the objects that changed while the connection was down. */
  async #catchUp(client: pg.Client): Promise<void> {
    const { text, values = [] } = this.#options.versions;
    const { rows } = await client.query<{ id: string; turn: number }>(text, [...values]);
    const [before, isReported] = [this.#seenTurns, !this.#isFirst];
    this.#isFirst = false;
    this.#seenTurns = new Map(rows.map(({ id, turn }) => [id, turn]));
    for (const { id, turn } of rows) if (isReported && before.get(id) !== turn) this.#options.onChange(id);
  }
}

/**
 * Notifies other processes of changes (NOTIFY) after the commit. Inside the transaction, PostgreSQL would
 * serialize the commits of all notifying transactions. A lost notification only delays waiters until their next poll.
 */
export class ChangeNotifier {
  readonly #database: Database;
  readonly #channel: string;
  readonly #origin: string;
  /** The ids to report with the next statement. */
  readonly #queued = new Set<string>();
  #sending: Promise<void> | undefined;

  constructor(database: Database, channel: string, origin: string) {
    this.#database = database;
    this.#channel = channel;
    this.#origin = origin;
  }

  /** Queues a notification and returns at once. */
  notify(id: string): void {
    this.#queued.add(id);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Waits until all queued notifications are sent. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#queued.size > 0) {
      const ids = [...this.#queued];
      this.#queued.clear();
      const statement = {
        name: "foundry_notify",
        text: "SELECT pg_notify($1, $2 || ' ' || id) FROM unnest($3::text[]) id",
        values: [this.#channel, this.#origin, ids],
      };
      await this.#database.query("tell of changes", statement).catch(() => {});
    }
  }
}
