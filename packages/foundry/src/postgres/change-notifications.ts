import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Database, DedicatedConnection } from "./database.ts";

/** The longest pause between two attempts to connect. */
const maxPauseMs = 2_000;

/**
 * Listens for changes of specs by other processes (LISTEN). A notification only wakes waiters, which then read the spec.
 * After a reconnect, specs whose version has changed are reported, because notifications may have been missed.
 */
export class ChangeListener {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #origin: string;
  readonly #onChange: (id: string) => void;
  readonly #seenTurns = new Map<string, number>();
  #client: DedicatedConnection | undefined;
  #isClosed = false;

  constructor(database: Database, workspace: number, origin: string, onChange: (id: string) => void) {
    this.#database = database;
    this.#workspace = workspace;
    this.#origin = origin;
    this.#onChange = onChange;
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
        const client = await this.#database.connect();
        this.#client = client;
        // Listening does not keep the process alive.
        client.unref();
        const ended = new Promise<void>((resolve) => client.once("end", resolve));
        client.on("notification", ({ payload = "" }) => this.#receive(payload));
        await client.query(`LISTEN foundry_${this.#workspace}`);
        // close() was called during the connect.
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
    // This process reports its own changes directly.
    if (origin !== this.#origin) this.#onChange(id);
  }

  /** Reports the specs that changed while the connection was down. */
  async #catchUp(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string; turn: number }>(
      "SELECT id, turn FROM foundry.spec WHERE workspace = $1",
      [this.#workspace],
    );
    for (const { id, turn } of rows) {
      if (this.#seenTurns.get(id) === turn) continue;
      this.#seenTurns.set(id, turn);
      this.#onChange(id);
    }
  }
}

/**
 * Notifies other processes of changed specs (NOTIFY) after the commit. Within the transaction, PostgreSQL would
 * serialize the commits of all notifying transactions. A lost notification only delays waiters until they poll.
 */
export class ChangeNotifier {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #origin: string;
  /** The specs to report with the next statement. */
  readonly #queued = new Set<string>();
  #sending: Promise<void> | undefined;

  constructor(database: Database, workspace: number, origin: string) {
    this.#database = database;
    this.#workspace = workspace;
    this.#origin = origin;
  }

  /** Queues a notification for a spec and returns at once. */
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
        text: "SELECT pg_notify('foundry_' || $1, $2 || ' ' || id) FROM unnest($3::text[]) id",
        values: [String(this.#workspace), this.#origin, ids],
      };
      await this.#database.query("tell of changes", statement).catch(() => {});
    }
  }
}
