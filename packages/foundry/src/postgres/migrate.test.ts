import pg from "pg";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import {
  createTestDatabase,
  itConcurrent,
  type TestDatabase,
} from "../../../../test/postgres/test-databases.ts";
import { type Database, openDatabase } from "./database.ts";
import { migrate, readSchemaVersion } from "./migrate.ts";
import { type Migration, migrations } from "./migrations/migrations.ts";

const steps: readonly Migration[] = [
  { number: 1, name: "first", sql: "CREATE TABLE foundry.first (a int)" },
  {
    number: 2,
    name: "second",
    sql: "CREATE TABLE foundry.second (a int); INSERT INTO foundry.first VALUES (2)",
  },
  { number: 3, name: "third", sql: "CREATE TABLE foundry.third (a int)" },
];
/** The second step makes half of its changes and then fails. */
const faulty = steps.with(1, {
  number: 2,
  name: "second",
  sql: "CREATE TABLE foundry.second (a int); INSERT INTO foundry.first VALUES (2); SELECT 1 / 0",
});

describe("migrate", () => {
  let test: TestDatabase;
  let database: Database;
  const others: Database[] = [];
  const open = (poolSize = 1) => openDatabase({ url: test.url, poolSize });
  beforeEach(async () => {
    test = await createTestDatabase();
    database = await open();
  });
  afterEach(async () => {
    for (const each of [database, ...others.splice(0)]) await each.close();
    await test.close();
  });
  const tables = async () => {
    const rows = await database.query<{ name: string }>("look", {
      text: "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = 'foundry' ORDER BY 1",
    });
    return rows.map(({ name }) => name);
  };
  const numbers = async () => {
    const rows = await database.query<{ number: number }>("look", {
      text: "SELECT number FROM foundry.migration ORDER BY number",
    });
    return rows.map(({ number }) => number);
  };

  it("applies every step once", async () => {
    expect(await readSchemaVersion(database)).toBe(0);
    expect(await migrate(database, steps)).toEqual({ from: 0, to: 3, applied: ["first", "second", "third"] });
    expect(await migrate(database, steps)).toEqual({ from: 3, to: 3, applied: [] });
    expect(await numbers()).toEqual([1, 2, 3]);
    expect(await tables()).toEqual(["first", "migration", "second", "third"]);
  });

  it("rolls back a step that fails halfway, and continues once it is fixed", async () => {
    await expect(migrate(database, faulty)).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "Cannot apply step 2 (second) of the schema: the database refuses it",
      remediation: expect.stringContaining("foundry-cli store migrate"),
      options: { details: { schema_step: 2, reason: "22012" } },
    });
    expect([await readSchemaVersion(database), await tables()]).toEqual([1, ["first", "migration"]]);
    expect(await database.query("look", { text: "SELECT a FROM foundry.first" })).toEqual([]);
    expect(await migrate(database, steps)).toEqual({ from: 1, to: 3, applied: ["second", "third"] });
    expect(await database.query("look", { text: "SELECT a FROM foundry.first" })).toEqual([{ a: 2 }]);
  });

  it("reports a step that references a missing table instead of advising a migration", async () => {
    const wrong = steps.with(1, { number: 2, name: "second", sql: "ALTER TABLE foundry.nothing ADD b int" });
    await expect(migrate(database, wrong)).rejects.toMatchObject({
      message: "Cannot apply step 2 (second) of the schema: the database refuses it",
      options: { details: { schema_step: 2, reason: "42P01" } },
    });
  });

  it("refuses a newer schema and leaves it unchanged", async () => {
    await migrate(database, steps);
    await expect(migrate(database, steps.slice(0, 2))).rejects.toMatchObject({
      code: "INVALID_STATE",
      message: `Cannot use the database ${database.name}: its schema is at step 3, and this version knows 2`,
      options: {
        remediation: expect.stringContaining("Update foundry-mcp"),
        details: { schema: 3, known_schema: 2 },
      },
    });
    expect(await numbers()).toEqual([1, 2, 3]);
  });

  itConcurrent("is done once by many who come at the same time", async () => {
    for (let at = 0; at < 8; at++) others.push(await open());
    const made = await Promise.all(others.map((each) => migrate(each)));
    expect(made.flatMap(({ applied }) => applied).toSorted()).toEqual(
      migrations.map(({ name }) => name).toSorted(),
    );
    expect(made.map(({ to }) => to)).toEqual(made.map(() => migrations.length));
    expect(await numbers()).toEqual(migrations.map(({ number }) => number));
  });

  itConcurrent("is begun again where its connection is ended in the middle of a step", async () => {
    const slow = steps.with(1, {
      number: 2,
      name: "second",
      sql: "CREATE TABLE foundry.second (a int); SELECT pg_advisory_xact_lock(7)",
    });
    const killer = new pg.Client({ connectionString: test.url });
    await killer.connect();
    await killer.query("SELECT pg_advisory_lock(7)");
    const migrating = migrate(database, slow);
    const waiting =
      "SELECT pid FROM pg_stat_activity WHERE datname = current_database() AND wait_event = 'advisory'";
    await expect.poll(async () => (await killer.query(waiting)).rowCount).toBe(1);
    await killer.query(`SELECT pg_terminate_backend(pid) FROM (${waiting}) w`);
    await killer.query("SELECT pg_advisory_unlock(7)");
    expect(await migrating).toEqual({ from: 0, to: 3, applied: ["first", "second", "third"] });
    await killer.end();
  });

  itConcurrent("needs the right to make a schema only where there is none", async () => {
    const role = `owner_${database.name.replace(/.*_/, "")}`;
    const text = `CREATE ROLE ${role} LOGIN PASSWORD 'x'; GRANT ${role} TO CURRENT_USER`;
    await database.query("make a role", { text });
    const url = Object.assign(new URL(test.url), { username: role, password: "x" }).href;
    const own = await openDatabase({ url, poolSize: 1 });
    others.push(own);
    try {
      await expect(migrate(own, steps)).rejects.toMatchObject({
        code: "FORBIDDEN",
        remediation: expect.stringContaining("store migrate"),
        options: { details: { reason: "42501" } },
      });
      expect(await readSchemaVersion(database)).toBe(0);
      await database.query("make a schema", { text: `CREATE SCHEMA foundry AUTHORIZATION ${role}` });
      expect(await migrate(own, steps)).toMatchObject({ from: 0, to: 3 });
    } finally {
      await own.close();
      await database.query("drop it", { text: `DROP OWNED BY ${role}; DROP ROLE ${role}` });
    }
  });
});
