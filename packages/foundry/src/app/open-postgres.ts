import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import { createPostgresArchive } from "../postgres/archive/postgres-archive.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../postgres/database.ts";
import {
  migrate,
  readSchemaVersion,
  requireKnownSchema,
  requireOwnDatabase,
  toScript,
} from "../postgres/migrate.ts";
import { migrations } from "../postgres/migrations/migrations.ts";
import { resolveWorkspace } from "../postgres/workspaces.ts";
import { openPostgresStore } from "../specs/stores/postgres/postgres-store.ts";
import type { CopyableStore } from "../specs/stores/spec-export.ts";
import type { WorkspaceStorage } from "./open-workspace.ts";

// This file is bundled apart; commands that need PostgreSQL import everything from here.
export { migrate, migrations, openDatabase, readSchemaVersion, requireKnownSchema, toScript };

/** The workspace of a database to open, and how it is used. */
export interface PostgresOptions extends DatabaseOptions {
  readonly workspace: string;
  readonly keepRevisions: number;
  /** True for a process that runs one command and exits. @default false */
  readonly isOneShot?: boolean | undefined;
  /** True to fail where the workspace does not exist, instead of adding it. @default false */
  readonly mustExist?: boolean | undefined;
  /** True where only DATABASE_URL names the database: then no tables are created next to those of other programs. */
  readonly isImplied?: boolean | undefined;
}

/** The storage of a workspace in a database. */
export interface PostgresWorkspace extends WorkspaceStorage {
  readonly store: CopyableStore;
  readonly rateLimits: PostgresCounts;
  readonly database: Database;
}

/** Opens a workspace in a database, after migrating the schema. */
export async function openPostgres({
  workspace: name,
  keepRevisions,
  isImplied = false,
  mustExist = false,
  isOneShot,
  ...options
}: PostgresOptions): Promise<PostgresWorkspace> {
  const database = await openDatabase(options);
  try {
    if (isImplied && (await readSchemaVersion(database)) === 0) await requireOwnDatabase(database);
    await migrate(database);
    const workspace = await resolveWorkspace(database, name, mustExist);
    const store = openPostgresStore({ database, workspace, keepRevisions, awaitNotify: isOneShot });
    return {
      store,
      archive: createPostgresArchive(database, workspace),
      rateLimits: {
        client: database.pool,
        schema: "foundry",
        table: "rate_limit",
        prefix: String(workspace),
      },
      database,
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
