import type { Database } from "./database.ts";

/**
 * Tells other processes of changes, after they were made: notices of transactions wait for one another until each is on
 * the disk, and so would changes. One that gets lost costs who waits for it the time until he looks by himself.
 */
export class Announcer {
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
  tell(id: string): void {
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
