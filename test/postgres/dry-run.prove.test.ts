import pg from "pg";
import { afterAll, afterEach, beforeAll, beforeEach, describe, vi } from "vitest";
import { openPostgres } from "#built/foundry/app/open-postgres.js";
import { describeDryRuns } from "../specs/dry-run.suite.ts";
import { seedStore } from "../specs/fresh-tools.ts";
import { createTestDatabase, type TestDatabase } from "./test-databases.ts";

let database: TestDatabase;
let calls = 0;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.close());
beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: new Date("2026-02-03T04:05:06Z") }));
afterEach(() => void vi.useRealTimers());

/** Returns for every table the number of rows and the row versions. Writing a row changes its version. */
async function identityOf(url: string): Promise<Readonly<Record<string, unknown>>> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: tables } = await client.query<{ name: string }>(
      "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foundry' ORDER BY 1",
    );
    const entries: [string, unknown][] = [];
    for (const { name } of tables) {
      const { rows } = await client.query(
        `SELECT count(*)::int AS rows, md5(string_agg(xmin::text || ' ' || ctid::text, ',' ORDER BY ctid)) AS versions
         FROM foundry.${name}`,
      );
      entries.push([name, rows[0]]);
    }
    return Object.fromEntries(entries);
  } finally {
    await client.end();
  }
}

describe("a dry run in PostgreSQL", () => {
  describeDryRuns(async () => {
    calls += 1;
    const poolSize = database.isConcurrent ? 2 : 1;
    const { store, close } = await openPostgres({
      url: database.url,
      workspace: `call-${calls}`,
      keepRevisions: 50,
      poolSize,
    });
    await seedStore(store as never);
    return { store: store as never, identity: () => identityOf(database.url), close };
  });
});
