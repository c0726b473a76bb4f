import { setTimeout as pause } from "node:timers/promises";
import { ContractError, unavailable } from "@foundry-mcp/contract";
import { maskUrlPassword } from "@foundry-mcp/toolkit";
import type pg from "pg";
import { isConnectionBroken, isConnectionFailure, isTransient, toDatabaseError } from "./database-error.ts";
import { type DatabaseAddress, parseDatabaseUrl } from "./database-url.ts";
import { RetryWindow } from "./retry-window.ts";
import { describeSelection, type StoreSelection } from "./store-selection.ts";

/** Options of a database connection. */
export interface DatabaseOptions {
  /** `postgres://user:password@host/database`. */
  readonly url: string;
  /**
   * The setting that selected this database, for messages.
   * @default the option --store with the address
   */
  readonly selection?: StoreSelection | undefined;
  /** The maximum number of pooled connections. @default 8 */
  readonly poolSize?: number | undefined;
  /** The timeout of one statement in milliseconds. @default 15_000 */
  readonly timeoutMs?: number | undefined;
  /**
   * The time that a call waits for a connection, in milliseconds.
   * @default 5_000
   */
  readonly connectMs?: number | undefined;
  /**
   * The time for which a call is retried while the database is unreachable, in milliseconds.
   * @default 3_000
   */
  readonly graceMs?: number | undefined;
}

/**
 * Planner options. Every query has a matching index, so one generic plan serves all values, and planning again would
 * cost more than execution. Sequential scans are disabled, because a plan that was cached while a table was small
 * must not scan the table once the table is large.
 */
const plannerOptions =
  "-c plan_cache_mode=force_generic_plan -c enable_seqscan=off -c enable_bitmapscan=off -c jit=off";

/** A statement with its parameters. A named statement is prepared once per connection. */
export interface Statement {
  readonly name?: string;
  readonly text: string;
  readonly values?: readonly unknown[];
}

/** Runs statements, either on the database or on one connection within a transaction. */
export interface Queryable {
  query<R>(statement: Statement): Promise<readonly R[]>;
}

/** A connection outside of the pool. */
export type DedicatedConnection = pg.Client & {
  /** Lets the process exit while the connection is open. The types of the driver do not declare this method. */
  unref(): void;
};

/** Opens a database. The connection is established by the first query. */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  const address = parseDatabaseUrl(options.url);
  const { selection = { origin: "--store", value: maskUrlPassword(options.url) } } = options;
  return new Database(await loadPg(selection), address, { ...options, selection });
}

/**
 * A PostgreSQL database with a connection pool and statement timeouts. Statements are retried after a lost
 * connection, so callers must pass only idempotent statements.
 */
export class Database {
  readonly name: string;
  readonly selection: StoreSelection;
  readonly pool: pg.Pool;
  readonly #poolSize: number;
  readonly #retryWindow: RetryWindow;
  /** Opens a connection outside of the pool. */
  readonly connect: () => Promise<DedicatedConnection>;

  constructor(
    driver: typeof pg,
    { url, name }: DatabaseAddress,
    options: DatabaseOptions & { readonly selection: StoreSelection },
  ) {
    const { poolSize = 8, timeoutMs = 15_000, connectMs = 5_000, graceMs = 3_000 } = options;
    this.name = name;
    this.selection = options.selection;
    this.#poolSize = poolSize;
    this.#retryWindow = new RetryWindow(graceMs);
    const config: pg.PoolConfig = {
      connectionString: url,
      application_name: "foundry-mcp",
      max: poolSize,
      // Idle connections do not keep the process alive.
      allowExitOnIdle: true,
      connectionTimeoutMillis: connectMs,
      statement_timeout: timeoutMs,
      // The client has its own timeout, because the server's timeout error never arrives if a network drops packets
      // silently.
      query_timeout: timeoutMs + 5_000,
      // A client that stalls within a transaction must not block other clients.
      idle_in_transaction_session_timeout: timeoutMs,
      // Without keep-alive, a listening connection would not notice for hours that the server is gone.
      keepAlive: true,
      keepAliveInitialDelayMillis: 10_000,
      options: plannerOptions,
      types: typesOf(driver),
    };
    this.pool = new driver.Pool(config);
    // A broken idle connection is replaced, and a broken active connection fails its statement. Without these
    // listeners, the error events would end the process.
    this.pool.on("error", () => {});
    this.pool.on("connect", (client) => client.on("error", () => {}));
    this.connect = async () => {
      const client = new driver.Client({ ...config, query_timeout: 0 }) as DedicatedConnection;
      client.on("error", () => {});
      await client.connect();
      return client;
    };
  }

  /** Runs one statement. `operation` names the statement in errors. */
  query<R>(operation: string, statement: Statement): Promise<readonly R[]> {
    return this.#retry(operation, (client) => run<R>(client, statement));
  }

  /** Runs statements in a transaction. */
  transaction<T>(
    operation: string,
    work: (queryable: Queryable) => Promise<T>,
    mode: "read" | "write" = "write",
  ): Promise<T> {
    const begin =
      mode === "read"
        ? "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"
        : "BEGIN ISOLATION LEVEL READ COMMITTED";
    return this.#retry(operation, async (client) => {
      await client.query(begin);
      try {
        const result = await work({ query: (statement) => run(client, statement) });
        await client.query("COMMIT");
        return result;
      } catch (err) {
        // A broken connection has already ended its transaction. A ROLLBACK on this connection would only wait for a
        // timeout.
        if (!isConnectionBroken(err)) await client.query("ROLLBACK").catch(() => {});
        throw err;
      }
    });
  }

  async close(): Promise<void> {
    if (!this.pool.ended) await this.pool.end();
  }

  /** Runs work on a connection and retries it after transient errors until the retry deadline. */
  async #retry<T>(operation: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const deadline = this.#retryWindow.deadline();
    for (let tries = 0; ; tries++) {
      try {
        const result = await this.#withClient(operation, work);
        this.#retryWindow.recordSuccess();
        return result;
      } catch (err) {
        if (isConnectionFailure(err)) this.#retryWindow.recordFailure();
        const waitMs = Math.min(25 * 2 ** tries, 500) * (0.5 + Math.random());
        if (!isTransient(err) || Date.now() + waitMs > deadline) throw toDatabaseError(err, operation);
        await pause(waitMs);
      }
    }
  }

  async #withClient<T>(operation: string, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await this.pool.connect().catch((err: unknown) => {
      throw this.#isPoolExhausted(err) ? poolExhausted(operation, this.#poolSize, err) : err;
    });
    let failure: unknown;
    try {
      return await work(client);
    } catch (err) {
      failure = err;
      throw err;
    } finally {
      // After a client-side timeout, the statement may still be running on that connection.
      client.release(isConnectionBroken(failure));
    }
  }

  /**
   * Distinguishes an exhausted pool from an unreachable database, because the driver reports the same error for both.
   */
  #isPoolExhausted(err: unknown): boolean {
    const { totalCount, idleCount } = this.pool;
    const isWait = err instanceof Error && err.message.startsWith("timeout exceeded when trying to connect");
    return isWait && idleCount === 0 && totalCount >= this.#poolSize;
  }
}

async function run<R>(client: pg.PoolClient, { name, text, values = [] }: Statement): Promise<readonly R[]> {
  const { rows } = await client.query({ ...(name === undefined ? {} : { name }), text, values: [...values] });
  return rows as R[];
}

/** Parses int8 as numbers, because no counter comes near the limit of safe integers. */
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

function poolExhausted(operation: string, poolSize: number, cause: unknown): ContractError {
  return unavailable(`Cannot ${operation}: all ${poolSize} connections to the database are in use`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Try again in a moment, with fewer calls at once; or raise store_pool.",
    details: { dependency: "postgresql", store_pool: poolSize },
    retryAfterSeconds: 1,
    cause,
  });
}

/** Loads the driver, an optional dependency. */
export async function loadPg(
  selection: StoreSelection,
  load: () => Promise<unknown> = () => import("pg"),
): Promise<typeof pg> {
  try {
    const module = (await load()) as { default: typeof pg };
    return module.default;
  } catch (cause) {
    if (!/ERR_MODULE_NOT_FOUND|MODULE_NOT_FOUND/.test(String((cause as NodeJS.ErrnoException | null)?.code)))
      throw cause;
    const selected = describeSelection(selection);
    throw new ContractError(
      `Cannot use PostgreSQL, which ${selected} selects: the package "pg" is not installed`,
      {
        errorCode: "DEPENDENCY_UNAVAILABLE",
        remediation:
          "To store specs in files, use --store file or FOUNDRY_STORE=file. To use PostgreSQL, install pg beside foundry-mcp: npm install pg; with npx: npx -p foundry-mcp -p pg foundry-mcp.",
        details: { dependency: "pg", selected_by: selected },
        cause,
      },
    );
  }
}
