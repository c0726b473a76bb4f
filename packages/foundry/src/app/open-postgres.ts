import type { PostgresCounts } from "@foundry-mcp/toolkit/limits";
import { createPostgresCounts } from "../gateway/observe/postgres-counts.ts";
import { createPostgresJobStorage } from "../jobs/postgres-job-storage.ts";
import { createPostgresArchive } from "../postgres/archive/postgres-archive.ts";
import { type Database, type DatabaseOptions, openDatabase } from "../postgres/database.ts";
import {
  migrate,
  readSchemaVersion,
  requireCurrentSchema,
  requireKnownSchema,
  toScript,
} from "../postgres/migrate.ts";
import { migrations } from "../postgres/migrations/migrations.ts";
import { addWorkspace, findWorkspace, requireUtf8 } from "../postgres/workspaces.ts";
import { openPostgresStore } from "../specs/stores/postgres/postgres-store.ts";
import type { CopyableStore } from "../specs/stores/spec-export.ts";
import type { StorePurpose } from "../specs/tools/workspace.ts";
import type { WorkspaceStorage } from "./open-workspace.ts";

// The file open-postgres is bundled separately. Commands that need PostgreSQL import everything from it.
export {
  addWorkspace,
  migrate,
  migrations,
  openDatabase,
  readSchemaVersion,
  requireKnownSchema,
  requireUtf8,
  toScript,
};

/** The workspace of a database to open, and how it is used. */
export interface PostgresOptions extends DatabaseOptions {
  readonly workspace: string;
  readonly keepRevisions: number;
  /** True for a process that runs one command and exits. @default false */
  readonly isOneShot?: boolean | undefined;
  /** With `read`, a missing or old schema and a missing workspace are errors. @default "write" */
  readonly purpose?: StorePurpose | undefined;
}

/** The storage of a workspace in a database. */
export interface PostgresWorkspace extends WorkspaceStorage {
  readonly store: CopyableStore;
  readonly rateLimits: PostgresCounts;
  readonly database: Database;
}

/** Opens a workspace in a database. For writing, migrates the schema and adds the workspace if necessary. */
export async function openPostgres({
  workspace: name,
  keepRevisions,
  purpose = "write",
  isOneShot,
  ...options
}: PostgresOptions): Promise<PostgresWorkspace> {
  const database = await openDatabase(options);
  try {
    await requireUtf8(database);
    const workspace = await (purpose === "write" ? setUp : findWorkspaceIn)(database, name);
    const store = openPostgresStore({ database, workspace, keepRevisions, awaitNotify: isOneShot });
    const archive = createPostgresArchive(database, workspace);
    const jobs = createPostgresJobStorage(database, workspace, { listens: !isOneShot });
    return {
      store,
      archive: () => archive,
      jobs: async () => jobs,
      rateLimits: {
        client: database.pool,
        schema: "foundry",
        table: "rate_limit",
        prefix: String(workspace),
      },
      callCounts: createPostgresCounts(database, workspace),
      database,
      async close() {
        await jobs.close?.();
        await store.close();
        await database.close();
      },
    };
  } catch (thrown) {
    await database.close();
    throw thrown;
  }
}

async function setUp(database: Database, name: string): Promise<number> {
  await migrate(database);
  return addWorkspace(database, name);
}

async function findWorkspaceIn(database: Database, name: string): Promise<number> {
  await requireCurrentSchema(database);
  return findWorkspace(database, name);
}
