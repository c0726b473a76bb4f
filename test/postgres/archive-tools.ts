import { randomUUID } from "node:crypto";
import type { Logger } from "@foundry-mcp/toolkit";
import type { ArchiveLimits, ContentArchive, NewContent } from "@foundry-mcp/toolkit/archive";
import { createPostgresArchive } from "#built/foundry/postgres/archive/postgres-archive.js";
import { openDatabase } from "#built/foundry/postgres/database.js";
import { migrate } from "#built/foundry/postgres/migrate.js";
import type { TestDatabase } from "./test-databases.ts";

// The modules are loaded dynamically, because neither of them is part of an entry point. The suite is not part of a
// build either, so the types that the compiler needs are declared here.
const load = (file: string) => import(new URL(`../../packages/${file}.ts`, import.meta.url).href);
interface Suite {
  contentOf(text: string, own?: Partial<NewContent>): NewContent;
  describeArchive(name: string, open: (limits?: ArchiveLimits) => Promise<ContentArchive>): void;
}
export const { contentOf, describeArchive } = (await load(
  "toolkit/src/archive/content-archive.suite",
)) as Suite;

/** Opens archives in a test database with a separate connection pool, as a single server has them. */
export async function openArchives({ url, isConcurrent }: TestDatabase, poolSize = 8) {
  const database = await openDatabase({ url, poolSize: isConcurrent ? poolSize : 1 });
  await migrate(database);
  return {
    database,
    open: (workspace: number, options?: Parameters<typeof createPostgresArchive>[2]): ContentArchive =>
      createPostgresArchive(database, workspace, options),
    createWorkspace: async (): Promise<number> => {
      const [row] = await database.query<{ workspace: number }>("create a workspace", {
        text: "INSERT INTO foundry.workspace (name) VALUES ($1) RETURNING workspace",
        values: [randomUUID()],
      });
      return row?.workspace ?? 0;
    },
    /** Returns the sizes of all objects of a workspace, and the counted total. */
    held: async (workspace: number) => {
      const [row] = await database.query<{ sizes: readonly number[]; total: number | null }>("look", {
        text: `SELECT coalesce((SELECT array_agg(length(bytes) ORDER BY size) FROM foundry.content_object WHERE workspace = $1), '{}') AS sizes,
          (SELECT bytes FROM foundry.content_total WHERE workspace = $1) AS total`,
        values: [workspace],
      });
      return row;
    },
    run: (text: string, ...values: readonly unknown[]) => database.query("run", { text, values }),
    close: () => database.close(),
  };
}

/** Creates a log that records the fields of errors and warnings. */
export function recordLog(): {
  readonly logger: Logger;
  readonly errors: object[];
  readonly warnings: object[];
} {
  const errors: object[] = [];
  const warnings: object[] = [];
  const logger: Logger = {
    debug: () => {},
    info: () => {},
    warn: (facts) => void warnings.push(facts),
    error: (facts) => void errors.push(facts),
    child: () => logger,
  };
  return { logger, errors, warnings };
}
