import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import type { Database, DedicatedConnection } from "./database.ts";

/** So long at most between two tries to connect. */
const longestPauseMs = 2_000;

/**
 * Hears of changes that other processes make. Notices only wake who waits: after a lost connection it is looked up
 * what was missed, and whoever is woken reads for himself.
 */
export class ChangeListener {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #origin: string;
  readonly #tell: (id: string) => void;
  readonly #turns = new Map<string, number>();
  #client: DedicatedConnection | undefined;
  #isClosed = false;

  constructor(database: Database, workspace: number, origin: string, tell: (id: string) => void) {
    this.#database = database;
    this.#workspace = workspace;
    this.#origin = origin;
    this.#tell = tell;
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
        // Watching keeps no process alive.
        client.unref();
        const ended = new Promise<void>((resolve) => client.once("end", resolve));
        client.on("notification", ({ payload = "" }) => this.#hear(payload));
        await client.query(`LISTEN foundry_${this.#workspace}`);
        // Closed while it connected.
        if (this.#isClosed) return await client.end();
        await this.#catchUp(client);
        tries = 0;
        await ended;
      } catch {
        await this.#client?.end().catch(() => {});
      }
      await pause(Math.min(50 * 2 ** tries, longestPauseMs), undefined, { ref: false });
    }
  }

  #hear(payload: string): void {
    const [origin = "", id = ""] = payload.split(" ");
    // Own changes were told when they were made.
    if (origin !== this.#origin) this.#tell(id);
  }

  /** Tells of what may have changed while nobody listened. */
  async #catchUp(client: pg.Client): Promise<void> {
    const { rows } = await client.query<{ id: string; turn: number }>(
      "SELECT id, turn FROM foundry.spec WHERE workspace = $1",
      [this.#workspace],
    );
    for (const { id, turn } of rows) {
      if (this.#turns.get(id) === turn) continue;
      this.#turns.set(id, turn);
      this.#tell(id);
    }
  }
}

/**
 * Tells other processes of changes, after they were made: notices of transactions wait for one another until each is on
 * the disk, and so would changes. One that gets lost costs who waits for it the time until he looks by himself.
 */
export class ChangeNotifier {
  readonly #database: Database;
  readonly #workspace: number;
  readonly #origin: string;
  /** The specs to tell of with the next statement. */
  readonly #waiting = new Set<string>();
  #sending: Promise<void> | undefined;

  constructor(database: Database, workspace: number, origin: string) {
    this.#database = database;
    this.#workspace = workspace;
    this.#origin = origin;
  }

  /** Tells of a spec; nobody waits for it. */
  notify(id: string): void {
    this.#waiting.add(id);
    this.#sending ??= this.#send().finally(() => {
      this.#sending = undefined;
    });
  }

  /** Waits until everything is told. */
  async idle(): Promise<void> {
    await this.#sending;
  }

  async #send(): Promise<void> {
    while (this.#waiting.size > 0) {
      const ids = [...this.#waiting];
      this.#waiting.clear();
      const statement = {
        name: "foundry_notify",
        text: "SELECT pg_notify('foundry_' || $1, $2 || ' ' || id) FROM unnest($3::text[]) id",
        values: [String(this.#workspace), this.#origin, ids],
      };
      await this.#database.query("tell of changes", statement).catch(() => {});
    }
  }
}
