import { ContractError } from "@foundry-mcp/contract";
import { programName } from "../program/program-name.ts";
import type { Database, Queryable } from "./database.ts";
import { sqlStateOf, toDatabaseError } from "./database-error.ts";
import { type Migration, migrations } from "./migrations/migrations.ts";
import { toMigrateCommand } from "./store-selection.ts";

/** The key of the advisory lock that serializes migrations. */
const lockKey = 7_064_832_215;

/** The result of a migration. */
export interface MigrationResult {
  /** The schema version before the migration, or 0 if there was no schema. */
  readonly from: number;
  readonly to: number;
  readonly applied: readonly string[];
}

/**
 * Migrates the schema to the newest version. Each step runs exactly once, in a separate transaction, even if several
 * servers migrate.
 */
export async function migrate(
  database: Database,
  steps: readonly Migration[] = migrations,
): Promise<MigrationResult> {
  const from = await readSchemaVersion(database);
  const newest = steps.length;
  requireKnownSchema(database, from, newest);
  const applied: string[] = [];
  for (const step of steps.slice(from)) {
    const isDone = await database.transaction(
      `bring the database ${database.name} to step ${step.number}`,
      (q) => apply(q, step),
    );
    if (isDone) applied.push(step.name);
  }
  return { from, to: newest, applied };
}

/** Reads the schema version. Returns 0 if there is no schema. */
export async function readSchemaVersion(database: Database): Promise<number> {
  try {
    const [row] = await database.query<{ step: number }>(`read the schema of the database ${database.name}`, {
      text: "SELECT coalesce(max(number), 0)::int AS step FROM foundry.migration",
    });
    return row?.step ?? 0;
  } catch (thrown) {
    const { cause } = thrown as { cause?: unknown };
    // The schema or its migration table is missing.
    if (["42P01", "3F000"].includes(sqlStateOf(thrown)) || ["42P01", "3F000"].includes(sqlStateOf(cause)))
      return 0;
    throw thrown;
  }
}

/**
 * Fails unless the schema has the newest version. A read does not migrate the schema, because it may be the first
 * access to a database and must not change the database.
 */
export async function requireCurrentSchema(database: Database): Promise<void> {
  const step = await readSchemaVersion(database);
  requireKnownSchema(database, step);
  const newest = migrations.length;
  if (step === newest) return;
  const state = step === 0 ? "it has no schema of Foundry" : `its schema is at step ${step} of ${newest}`;
  throw new ContractError(`Cannot read specs in the database ${database.name}: ${state}`, {
    errorCode: "UNAVAILABLE",
    remediation: `Run ${toMigrateCommand(database.selection)}, then try again.`,
    details: { dependency: "postgresql", schema: step, known_schema: newest },
  });
}

/** Fails if a newer version of Foundry has migrated the schema. */
export function requireKnownSchema(
  { name }: Database,
  step: number,
  newest: number = migrations.length,
): void {
  if (step <= newest) return;
  throw new ContractError(
    `Cannot use the database ${name}: its schema is at step ${step}, and this version knows ${newest}`,
    {
      errorCode: "INVALID_STATE",
      remediation: "Update foundry-mcp here: a newer version has changed the database.",
      details: { schema: step, known_schema: newest },
    },
  );
}

const migrationTable =
  "CREATE TABLE IF NOT EXISTS foundry.migration (number integer PRIMARY KEY, name text NOT NULL, applied_at timestamptz NOT NULL DEFAULT now())";

/** Returns a step as an SQL script, for administrators who run migrations themselves. */
export function toScript({ number, name, sql }: Migration): string {
  const lines = [
    "BEGIN;",
    "CREATE SCHEMA IF NOT EXISTS foundry;",
    `${migrationTable};`,
    sql.trim(),
    `INSERT INTO foundry.migration (number, name) VALUES (${number}, '${name}');`,
    "COMMIT;",
  ];
  return `${lines.join("\n")}\n`;
}

/** Applies a step. Returns false if another process has applied the step in the meantime. */
async function apply(queryable: Queryable, { number, name, sql }: Migration): Promise<boolean> {
  await queryable.query({ text: "SELECT pg_advisory_xact_lock($1)", values: [lockKey] });
  // An existing schema is not created again, because the database user may lack the permission to create a schema.
  const [found] = await queryable.query<{ oid: string | null }>({
    text: "SELECT to_regnamespace('foundry') AS oid",
  });
  if (found?.oid == null) await queryable.query({ text: "CREATE SCHEMA IF NOT EXISTS foundry" });
  await queryable.query({ text: migrationTable });
  const done = await queryable.query({
    text: "SELECT number FROM foundry.migration WHERE number = $1",
    values: [number],
  });
  if (done.length > 0) return false;
  try {
    await queryable.query({ text: sql });
  } catch (err) {
    throw stepFailed(number, name, err);
  }
  await queryable.query({
    text: "INSERT INTO foundry.migration (number, name) VALUES ($1, $2)",
    values: [number, name],
  });
  return true;
}

function stepFailed(number: number, name: string, err: unknown): unknown {
  // The errors of the statements themselves are explained only in the log of the database.
  const isRefused = /^(0A|2[23]|3F|42(?!501))/.test(sqlStateOf(err));
  const known = toDatabaseError(err, `apply step ${number} (${name}) of the schema`);
  if ((known !== err && !isRefused) || sqlStateOf(err) === "") return err;
  return new ContractError(`Cannot apply step ${number} (${name}) of the schema: the database refuses it`, {
    errorCode: "UNAVAILABLE",
    remediation: "The step was rolled back. Fix what the log of PostgreSQL reports, and run {1}.",
    remedy: { command: `${programName} store migrate` },
    details: { schema_step: number, reason: sqlStateOf(err) },
    cause: err,
  });
}
