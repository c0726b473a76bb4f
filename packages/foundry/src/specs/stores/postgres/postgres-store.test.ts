import { describe } from "vitest";
import { createTestDatabase } from "../../../../../../test/postgres/test-databases.ts";
import { openDatabase } from "../../../postgres/database.ts";
import { migrate } from "../../../postgres/migrate.ts";
import { addWorkspace } from "../../../postgres/workspaces.ts";
import { describeSpecStore } from "../spec-store.suite.ts";
import { openPostgresStore } from "./postgres-store.ts";

describe("openPostgresStore", () => {
  describeSpecStore(async () => {
    const test = await createTestDatabase();
    const poolSize = test.isConcurrent ? 4 : 1;
    const database = await openDatabase({ url: test.url, poolSize });
    await migrate(database);
    const workspace = await addWorkspace(database, "suite");
    const store = openPostgresStore({ database, workspace });
    const others: (() => Promise<void>)[] = [];
    const reopen = async () => {
      const own = await openDatabase({ url: test.url, poolSize });
      others.push(() => own.close());
      return openPostgresStore({ database: own, workspace });
    };
    return {
      store,
      ...(test.isConcurrent ? { reopen } : {}),
      async close() {
        await store.close();
        for (const close of others) await close();
        await database.close();
        await test.close();
      },
    };
  });
});
