import { writeFileSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { describe, expect, it } from "vitest";
import { createTestDatabase, describeConcurrent, itConcurrent } from "../test-databases.ts";

/** Defines the tests of one file, which record the engine that they used. */
export function useDatabases(file: string): void {
  describe(file, () => {
    it("uses databases one after the other, and forgets to close the last", async () => {
      for (const time of [1, 2, 3]) {
        const database = await createTestDatabase();
        const pool = new pg.Pool({ connectionString: database.url, max: 1 });
        // Closing the database ends connections that may still be closing, and pg emits an error event that needs a
        // listener.
        pool.on("error", () => {});
        pool.on("connect", (client) => client.on("error", () => {}));
        await pool.query("CREATE SCHEMA foundry; CREATE TABLE foundry.t (a int)");
        await pool.query("INSERT INTO foundry.t VALUES ($1)", [time]);
        expect((await pool.query("SELECT a FROM foundry.t")).rows).toEqual([{ a: time }]);
        const { rows } = await pool.query("SELECT pg_postmaster_start_time()::text AS started");
        const met = { engine: database.engine, started: rows[0].started };
        writeFileSync(join(process.env["RUN_FOLDER"] as string, file), JSON.stringify(met));
        await pool.end();
        if (time < 3) await database.close();
      }
    });
    itConcurrent("uses two", useTwo);
    describeConcurrent("elsewhere", () => {
      it("uses two", useTwo);
    });
  });
}

async function useTwo(): Promise<void> {
  const databases = await Promise.all([createTestDatabase(), createTestDatabase()]);
  expect(databases[0].url).not.toBe(databases[1].url);
  for (const { close } of databases) await close();
}
