import { createHash } from "node:crypto";
import { RateLimiterMemory, RateLimiterPostgres } from "rate-limiter-flexible";
import type { Logger } from "../context/logger.ts";
import { requireWhole } from "../options/require-option.ts";
import { createCircuitBreaker } from "./circuit-breaker.ts";
import { type Counter, createCounter, type Policy } from "./counter.ts";
import { createSweep } from "./expired-rows.ts";
import { refuse } from "./rate-limiter.ts";

/** A client that runs one statement and returns its rows, such as a `Pool` of pg. */
export interface PostgresClient {
  query(statement: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/** A database table in which several servers count calls together. */
export interface PostgresCounts {
  /** The client that runs the statements: a `Pool` of pg, or any object with the same `query`. */
  readonly client: PostgresClient;
  /** The schema of the table. @default the first match in the client's search path */
  readonly schema?: string | undefined;
  /** The name of the table; its columns are key, points and expire. */
  readonly table: string;
  /**
   * The prefix of keys in the table, which separates the keys of different servers or workspaces; at most 200
   * characters.
   */
  readonly prefix: string;
  /**
   * The timeout for counting a call in the database, in milliseconds; after the timeout, this process counts the
   * call itself.
   * @default 1,000
   */
  readonly timeoutMs?: number | undefined;
  /**
   * Receives a log line when the database becomes unavailable, and when it is available again.
   * @default logs nothing
   */
  readonly logger?: Logger | undefined;
}

/**
 * Creates counters that store their keys in a table that several processes share. While the database is
 * unavailable, each process counts its own calls with the same limit.
 */
export function createPostgresCounters(counts: PostgresCounts): (policy: Policy, maxKeys: number) => Counter {
  requireTable(counts);
  const client = createCircuitBreaker(counts);
  const sweep = createSweep(counts);
  const storeClient: PostgresClient = {
    query: async (statement) => {
      const counted = await client.query(statement);
      sweep();
      return counted;
    },
  };
  return (policy, maxKeys) => {
    const { limit: points, periodSeconds: duration } = policy;
    const limiter = new RateLimiterPostgres({
      points,
      duration,
      storeClient,
      storeType: "pool",
      ...(counts.schema === undefined ? {} : { schemaName: counts.schema }),
      tableName: counts.table,
      tableCreated: true,
      clearExpiredByTimeout: false,
      keyPrefix: counts.prefix,
      // Calls of a client that has used up its quota do not reach the database until the period ends.
      inMemoryBlockOnConsumed: points,
      insuranceLimiter: new RateLimiterMemory({ points, duration, keyPrefix: "" }),
    });
    const counter = createCounter(policy, limiter, maxKeys);
    return { take: (key, sharedKey) => counter.take(toColumn(key), toColumn(sharedKey)) };
  };
}

/**
 * Hashes a key: client names may be too long for the column, may contain characters that PostgreSQL refuses, and are
 * private.
 */
function toColumn(key: string): string {
  return createHash("sha256").update(key).digest("base64url");
}

/** The maximum delay of a timer, in milliseconds. */
const maxTimeoutMs = 2 ** 31 - 1;

/** Throws for invalid options of a table. */
function requireTable(counts: PostgresCounts): void {
  if (typeof counts?.client?.query !== "function") {
    throw refuse("postgres.client has no query", "Set postgres.client to a Pool of pg.");
  }
  const { schema, table, prefix, timeoutMs } = counts;
  if (schema !== undefined) requireName("postgres.schema", schema);
  requireName("postgres.table", table);
  // The prefix and the hash of a key must fit into a column of 255 characters.
  const prefixForm = "a text of 1 to 200 characters without control characters";
  requireForm("postgres.prefix", prefix, /^[^\p{Cc}\p{Cs}]{1,200}$/u, prefixForm);
  if (timeoutMs !== undefined) requireWhole(1, maxTimeoutMs, { "postgres.timeoutMs": timeoutMs }, refuse);
}

/** Throws unless a name needs no escaping, because the library quotes names without escaping them. */
function requireName(name: string, value: unknown): void {
  requireForm(name, value, /^[a-z_][a-z0-9_]{0,62}$/i, "a name of at most 63 letters, digits and _");
}

function requireForm(name: string, value: unknown, pattern: RegExp, wanted: string): void {
  if (typeof value === "string" && pattern.test(value)) return;
  const shown = typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
  throw refuse(`${name} is ${shown}, not ${wanted}`, `Set ${name} to ${wanted}.`);
}
