import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe } from "vitest";
import { createTestDatabase } from "../../../../../test/postgres/test-databases.ts";
import { openDatabase } from "../../postgres/database.ts";
import { migrate } from "../../postgres/migrate.ts";
import { addWorkspace } from "../../postgres/workspaces.ts";
import { describeCopyableStore } from "./copyable-store.suite.ts";
import { openFileStore } from "./file-store/file-store.ts";
import { openPostgresStore } from "./postgres/postgres-store.ts";

async function openFiles() {
  const folder = await mkdtemp(join(tmpdir(), "copyable-"));
  const open = async (name: string) => {
    const root = join(folder, name);
    await mkdir(root);
    return openFileStore({ root });
  };
  return { open, close: () => rm(folder, { recursive: true, force: true }) };
}

async function openPostgres() {
  const test = await createTestDatabase();
  const database = await openDatabase({ url: test.url, poolSize: test.isConcurrent ? 4 : 1 });
  await migrate(database);
  const open = async (name: string) =>
    openPostgresStore({ database, workspace: await addWorkspace(database, name) });
  return {
    open,
    async close() {
      await database.close();
      await test.close();
    },
  };
}

describe.each([
  ["files to PostgreSQL", openFiles, openPostgres],
  ["PostgreSQL to files", openPostgres, openFiles],
  ["files to files", openFiles, openFiles],
  ["one workspace of PostgreSQL to another", openPostgres, undefined],
])("specs copied from %s", (_name, openFrom, openTo) => {
  describeCopyableStore(async () => {
    const from = await openFrom();
    const to = openTo === undefined ? from : await openTo();
    const [store, other] = [await from.open("one"), await to.open("two")];
    return {
      store,
      other,
      async close() {
        await store.close();
        await other.close();
        await from.close();
        if (to !== from) await to.close();
      },
    };
  });
});
