import { randomBytes } from "node:crypto";
import type { Pool } from "pg";
import type { EngineChoice } from "./choose-engine.ts";
import type { Cluster } from "./cluster.ts";

interface Engine {
  readonly pool: Pool;
  readonly version: string;
  readonly cluster: Cluster | undefined;
  urlOf(database: string): string;
}

/** Creates and drops databases with unique names. The engine is started for the first database. */
export class DatabaseFactory {
  readonly #choice: Exclude<EngineChoice, { kind: "pglite" }>;
  readonly #names = new Set<string>();
  #engine: Promise<Engine> | undefined;

  constructor(choice: Exclude<EngineChoice, { kind: "pglite" }>) {
    this.#choice = choice;
  }

  async create(): Promise<{ readonly name: string; readonly url: string }> {
    this.#engine ??= openEngine(this.#choice);
    const { pool, urlOf } = await this.#engine;
    const name = `foundry_test_${randomBytes(8).toString("hex")}`;
    // A connection to template1 would block the copy.
    await pool.query(`CREATE DATABASE ${name} TEMPLATE template0`);
    this.#names.add(name);
    return { name, url: urlOf(name) };
  }

  /** Drops a database that this factory created, even if it has open connections. */
  async drop(name: string): Promise<void> {
    if (!this.#names.has(name)) throw new Error(`No database ${JSON.stringify(name)} was created here.`);
    const { pool } = await (this.#engine as Promise<Engine>);
    await pool.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
    this.#names.delete(name);
  }

  /** Drops the remaining databases, stops the engine, and returns its name if it was started. */
  async close(): Promise<string | undefined> {
    const engine = await this.#engine?.catch(() => undefined);
    if (engine === undefined) return undefined;
    const { pool, cluster, version } = engine;
    if (cluster) {
      await pool.end().catch(() => undefined);
      await cluster.close();
      return `PostgreSQL ${version}, a throw-away cluster`;
    }
    for (const name of this.#names) await this.drop(name);
    await pool.end();
    return `PostgreSQL ${version}, that of DATABASE_URL`;
  }
}

async function openEngine(choice: Exclude<EngineChoice, { kind: "pglite" }>): Promise<Engine> {
  // The modules are imported on demand, so that a run without databases does not spend time on the import.
  const [{ default: pg }, { startCluster }] = await Promise.all([import("pg"), import("./cluster.ts")]);
  const cluster = choice.kind === "cluster" ? await startCluster({ bin: choice.bin }) : undefined;
  const url = new URL(choice.kind === "cluster" ? (cluster as Cluster).url : choice.url);
  const pool = new pg.Pool({ connectionString: url.href, max: 2 });
  // The next statement reports a broken idle connection.
  pool.on("error", () => undefined);
  try {
    const { rows } = await pool.query<{ server_version: string }>("SHOW server_version");
    // The pattern removes the suffix of distributions: 15.18 (Debian 15.18-0+deb12u1).
    const version = rows[0]?.server_version.split(" ")[0] ?? "";
    const urlOf = (database: string) => Object.assign(new URL(url), { pathname: `/${database}` }).href;
    return { pool, version, cluster, urlOf };
  } catch (error) {
    await pool.end();
    await cluster?.close();
    throw error;
  }
}
