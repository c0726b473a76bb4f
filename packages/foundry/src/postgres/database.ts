import { setTimeout as pause } from "node:timers/promises";
import { ContractError, unavailable } from "@foundry-mcp/contract";
import type pg from "pg";
import { isConnectionBroken, isConnectionFailure, isTransient, toDatabaseError } from "./database-error.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database-url.ts";
import { RetryWindow } from "./retry-window.ts";

/** How a database is used. */
export interface DatabaseOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string;
  /** Connections at one time. @default 8 */
  readonly poolSize?: number | undefined;
  /** How long one statement may take, in milliseconds. @default 15_000 */
  readonly timeoutMs?: number | undefined;
  /** How long a call waits for a connection. @default 5_000 */
  readonly connectMs?: number | undefined;
  /** How long a call is repeated while the database is away. @default 3_000 */
  readonly graceMs?: number | undefined;
}

/**
 * Whatever is asked here has its index, so one plan is good for all values: to make one takes longer than to follow it.
 * Made while a table is small or new, and kept, it must not read all of it when it is large.
 */
const planning =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off";

/** A statement with its values; one with a name is prepared once for each connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** What runs statements: the database, or one connection within a transaction. */
export interface Queryable {
  query<R>(statement: Statement): Promise<readonly R[]>;
}

/** A connection that is not of the pool. */
export type DedicatedConnection = pg.Client & {
  /** Lets the process end although it is open; the types of the driver do not know it. */
  unref(): void;
};

/** Opens the way to a database; it is first connected to when something is asked of it. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const address = parseDatabaseUrl(options.url);
  return new Database(await loadPg(), address, options);
}

/**
 * A PostgreSQL database: a pool of connections, every statement with a time-out. Whatever is asked of it may be asked
 * again after a lost connection, so that callers write only statements of which the second does no harm.
 */
export class Database {
  readonly name: string;
  readonly pool: pg.Pool;
  readonly #poolSize: number;
  readonly #outage: RetryWindow;
  /** Makes a connection that is not of the pool, for what needs one of its own. */
  readonly connect: () => Promise<DedicatedConnection>;

  constructor(
    driver: typeof pg,
    { url, name }: DatabaseAddress,
    { poolSize = 8, timeoutMs = 15_000, connectMs = 5_000, graceMs = 3_000 }: DatabaseOptions,
  ) {
    this.name = name;
    this.#poolSize = poolSize;
    this.#outage = new RetryWindow(graceMs);
    const config: pg.PoolConfig = {
      connectionString: url,
      application_name: "foundry-mcp",
      max: poolSize,
      // A process that has nothing else to do may end.
      allowExitOnIdle: true,
      connectionTimeoutMillis: connectMs,
      statement_timeout: timeoutMs,
      // A network that swallows everything tells nobody of a time-out.
      query_timeout: timeoutMs + 5_000,
      // Who stops in the middle must not keep others from a spec.
      idle_in_transaction_session_timeout: timeoutMs,
      // Who only listens would not hear for hours that the other end is gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options: planning,
      types: typesOf(driver),
    };
    this.pool = new driver.Pool(config);
    // A connection that breaks while nobody uses it is replaced by the next one; of one that is in use whoever uses it
    // hears by the statement, and nobody listening to the event would end the process.
    this.pool.on("error", () => {});
    this.pool.on("connect", (client) => client.on("error", () => {}));
    this.connect = async () => {
      const client = new driver.Client({ ...config, query_timeout: 0 }) as DedicatedConnection;
      client.on("error", () => {});
      await client.connect();
      return client;
    };
  }

  /** Runs one statement; `deed` says what it is for, should it fail. */
  query<R>(deed: string, statement: Statement): Promise<readonly R[]> {
    return this.#repeat(deed, (client) => run<R>(client, statement));
  }

  /** Runs statements of which all or none count. */
  transaction<T>(
    deed: string,
    work: (queryable: Queryable) => Promise<T>,
    mode: "read" | "write" = "write",
  ): Promise<T> {
    const begin =
      mode === "read"
        ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        : "BEGIN ISOLATION LEVEL READ COMMITTED";
    return this.#repeat(deed, async (client) => {
      await client.query(begin);
      try {
        const result = await work({ query: (statement) => run(client, statement) });
        await client.query("COMMIT");
        return result;
      } catch (err) {
        // Where the connection is gone the transaction is too, and what does not answer would be waited for again.
        if (!isConnectionBroken(err)) await client.query("ROLLBACK").catch(() => {});
        throw err;
      }
    });
  }

  async close(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  /** Runs work on a connection; after a failure that passes it is run again, for a while. */
  async #repeat<T>(deed: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const endsAt = this.#outage.deadline();
    for (let tries = 0; ; tries++) {
      try {
        const result = await this.#borrow(deed, work);
        this.#outage.recordSuccess();
        return result;
      } catch (err) {
        if (isConnectionFailure(err)) this.#outage.recordFailure();
        const waitMs = Math.min(25 * 2 ** tries, 500) * (0.5 + Math.random());
        if (!isTransient(err) || Date.now() + waitMs > endsAt) throw toDatabaseError(err, deed);
        await pause(waitMs);
      }
    }
  }

  async #borrow<T>(deed: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((err: unknown) => {
      throw this.#isCrowded(err) ? poolBusy(deed, this.#poolSize, err) : err;
    });
    let failure: unknown;
    try {
      return await work(client);
    } catch (err) {
      failure = err;
      throw err;
    } finally {
      // What the driver gave up waiting for may still be running there.
      client.release(isConnectionBroken(failure));
    }
  }

  /** The driver says the same of a database that is away and of a pool that is used up. */
  #isCrowded(err: unknown): boolean {
    const { totalCount, idleCount } = this.pool;
    const isWait = err instanceof Error && err.message.startsWith("timeout exceeded when trying to connect");
    return isWait && idleCount === 0 && totalCount >= this.#poolSize;
  }
}

async function run<R>(client: pg.PoolClient, { name, text, values = [] }: Statement): Promise<readonly R[]> {
  const { rows } = await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] });
  return rows as R[];
}

/** Counters are numbers: none of them comes near to where numbers end. */
function typesOf(driver: typeof pg): pg.CustomTypesConfig {
  const { types } = driver;
  const int8 = types.builtins.INT8;
  return {
    getTypeParser: ((oid: number, format?: "text" | "binary") =>
      oid === int8 && format !== "binary"
        ? Number
        : types.getTypeParser(oid, format as "text")) as pg.CustomTypesConfig["getTypeParser"],
  };
}

function poolBusy(deed: string, poolSize: number, cause: unknown): ContractError {
  return unavailable(`Cannot ${deed}: all ${poolSize} connections to the database are in use`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Try again in a moment, with fewer calls at once; or raise store_pool.",
    details: { dependency: "postgresql", store_pool: poolSize },
    retryAfterSeconds: 1,
    cause,
  });
}

/** Loads the driver, which is installed only where specs are kept in PostgreSQL. */
export async function loadPg(load: () => Promise<unknown> = () => import("pg")): Promise<typeof pg> {
  try {
    const module = (await load()) as { default: typeof pg };
    return module.default;
  } catch (cause) {
    if (!/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test(String((cause as NodeJS.ErrnoException | null)?.code)))
      throw cause;
    throw new ContractError('Cannot keep specs in PostgreSQL: the package "pg" is not installed', {
      errorCode: "DEPENDENCY_UNAVAILABLE",
      remediation:
        "Install it beside foundry-mcp: npm install pg; with npx: npx -p foundry-mcp -p pg foundry-mcp.",
      details: { dependency: "pg" },
      cause,
    });
  }
}
