import type { Logger } from "../context/logger.ts";
import { requireWhole } from "../options/require-option.ts";
import { refuse } from "./rate-rule.ts";

/** Runs one statement and gives its rows, as a `Pool` of pg does. */
export interface PostgresClient {
  query(statement: { text: string; values: unknown[] }): Promise<{ rows: unknown[] }>;
}

/** A table in which several servers count together. */
export interface PostgresCounts {
  /** Runs the statements: a `Pool` of pg, or anything with its `query`. */
  readonly client: PostgresClient;
  /** The schema of the table. @default the search path of the client */
  readonly schema?: string | undefined;
  /** The table; its columns are key, points and expire. */
  readonly table: string;
  /** Keeps the counts of one server or workspace apart from others in the table; 200 characters at most. */
  readonly prefix: string;
  /** The longest that the database may take to count a call, in milliseconds; then this process counts. @default 1,000 */
  readonly timeoutMs?: number | undefined;
  /** Hears when the database cannot count, and when it can again. @default says nothing */
  readonly logger?: Logger | undefined;
}

/** The longest time that a timer can hold. */
const longestWait = 2 ** 31 - 1;

/** Refuses what cannot lead to a table. */
export function checkPostgresOptions(counts: PostgresCounts): void {
  if (typeof counts?.client?.query !== "function") {
    throw refuse("postgres.client has no query", "Set postgres.client to a Pool of pg.");
  }
  if (counts.schema !== undefined) requireName("postgres.schema", counts.schema);
  requireName("postgres.table", counts.table);
  requirePrefix(counts.prefix);
  if (counts.timeoutMs !== undefined)
    requireWhole(1, longestWait, { "postgres.timeoutMs": counts.timeoutMs }, refuse);
}

/** The library puts names between quotes as they are. */
function requireName(name: string, value: unknown): void {
  if (typeof value === "string" && /^[a-z_][a-z0-9_]{0,62}$/i.test(value)) return;
  const wanted = "a name of at most 63 letters, digits and _";
  throw refuse(`${name} is ${toShown(value)}, not ${wanted}`, `Set ${name} to ${wanted}.`);
}

/** With the hash of a key behind it, it has to fit into a column of 255 characters. */
function requirePrefix(value: unknown): void {
  if (typeof value === "string" && /^[^\p{Cc}\p{Cs}]{1,200}$/u.test(value)) return;
  const wanted = "a text of 1 to 200 characters without control characters";
  throw refuse(`postgres.prefix is ${toShown(value)}, not ${wanted}`, `Set postgres.prefix to ${wanted}.`);
}

function toShown(value: unknown): string {
  return typeof value === "string" ? JSON.stringify(value.slice(0, 80)) : String(value);
}
