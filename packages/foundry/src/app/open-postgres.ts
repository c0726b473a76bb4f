import type { ContentArchive } from "@foundry-mcp/toolkit/archive";
import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import { createPostgresArchive } from "../postgres/archive/postgres-archive.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../postgres/database.ts";
import { migrate, requireKnown, schemaStep, toScript } from "../postgres/migrate.ts";
import { migrations } from "../postgres/migrations/migrations.ts";
import { requireOwnDatabase } from "../postgres/require-own-database.ts";
import { workspaceOf } from "../postgres/workspace-of.ts";
import { openPostgresStore } from "../specs/stores/postgres/postgres-store.ts";
import type { CopyableStore } from "../specs/stores/spec-parcel.ts";

export { migrate, migrations, openDatabase, requireKnown, schemaStep, toScript };

/** Which workspace of which database, and how it is used. */
export interface PostgresOptions extends DatabaseOptions {
  readonly workspace: string;
  readonly keepRevisions: number;
  /** For one command, which ends with its answer. @default false */
  readonly isBrief?: boolean | undefined;
  /** True where a workspace that is not there is not to be added. @default false */
  readonly mustExist?: boolean | undefined;
  /** True where nobody has said that Foundry is to use the database: then it makes nothing among tables of others. */
  readonly isImplied?: boolean | undefined;
}

/** A workspace in a database. */
export interface PostgresWorkspace {
  readonly store: CopyableStore;
  readonly archive: ContentArchive;
  /** Where servers of the database count calls together. */
  readonly counts: PostgresCounts;
  readonly database: Database;
  close(): Promise<void>;
}

/** Opens a workspace in a database, whose schema is brought up to date before. */
export async function openPostgres({
  workspace: name,
  keepRevisions,
  isImplied = false,
  mustExist = false,
  isBrief,
  ...options
}: PostgresOptions): Promise<PostgresWorkspace> {
  const database = await openDatabase(options);
  try {
    if (isImplied && (await schemaStep(database)) === 0) await requireOwnDatabase(database);
    await migrate(database);
    const workspace = await workspaceOf(database, name, mustExist);
    const store = openPostgresStore({ database, workspace, keepRevisions, isBrief });
    const counts = {
      client: database.pool,
      schema: "foundry",
      table: "rate_limit",
      prefix: String(workspace),
    };
    return {
      ...{ store, counts, database },
      archive: createPostgresArchive(database, workspace),
      async close() {
        await store.close();
        await database.close();
      },
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}
