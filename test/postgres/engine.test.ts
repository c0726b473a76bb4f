import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { chooseEngine } from "./choose-engine.ts";
import { findBinaries } from "./find-binaries.ts";
import { createTestDatabase, isConcurrent, itConcurrent, type TestDatabase } from "./test-databases.ts";
import { opening, toWireMessage, WireReader } from "./wire-messages.ts";

const folder = mkdtempSync(join(tmpdir(), "engine-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Creates a folder that looks like a folder of PostgreSQL's programs. */
function makeBinaries(path: string, programs = ["initdb", "postgres"]): string {
  const bin = join(folder, path);
  mkdirSync(bin, { recursive: true });
  for (const program of programs) writeFileSync(join(bin, program), "", { mode: 0o755 });
  return bin;
}

describe("the programs of PostgreSQL", () => {
  const versions = join(folder, "versions");
  const none = join(folder, "nothing");
  makeBinaries("versions/9.6/bin");
  makeBinaries("versions/15/bin");
  makeBinaries("versions/17/bin", ["psql", "initdb"]);
  const wanted = makeBinaries("wanted");
  const inPath = makeBinaries("path");

  it("are those of FOUNDRY_TEST_PG_BIN, else of PATH, else the newest that are whole", () => {
    expect(findBinaries({ PATH: inPath, FOUNDRY_TEST_PG_BIN: wanted }, versions)).toBe(wanted);
    expect(findBinaries({ PATH: `${none}:${inPath}` }, versions)).toBe(inPath);
    expect(findBinaries({ PATH: none }, versions)).toBe(join(versions, "15/bin"));
    expect(findBinaries({}, versions)).toBe(join(versions, "15/bin"));
    expect(findBinaries({ PATH: none }, none)).toBeUndefined();
    expect(findBinaries({ PATH: inPath, FOUNDRY_TEST_PG_BIN: "none" }, versions)).toBeUndefined();
  });

  it("are not looked for elsewhere where FOUNDRY_TEST_PG_BIN is wrong", () => {
    expect(() => findBinaries({ PATH: inPath, FOUNDRY_TEST_PG_BIN: none }, versions)).toThrow(
      `FOUNDRY_TEST_PG_BIN is ${JSON.stringify(none)}, and no initdb and postgres are there`,
    );
  });

  it("come behind DATABASE_URL and before PGlite", () => {
    const url = "postgres://me:secret@db.example:5432/app";
    expect(chooseEngine({ DATABASE_URL: url, PATH: inPath }, none)).toEqual({ kind: "server", url });
    expect(chooseEngine({ DATABASE_URL: "", PATH: inPath }, none)).toEqual({ kind: "cluster", bin: inPath });
    expect(chooseEngine({ PATH: none }, none)).toEqual({ kind: "pglite" });
  });

  it("must be there, or DATABASE_URL, where FOUNDRY_REQUIRE_POSTGRES is 1", () => {
    const env = { PATH: inPath, FOUNDRY_REQUIRE_POSTGRES: "1" };
    expect(chooseEngine(env, none)).toEqual({ kind: "cluster", bin: inPath });
    expect(() => chooseEngine({ ...env, PATH: none }, none)).toThrow("there is no PostgreSQL");
    expect(() => chooseEngine({ ...env, FOUNDRY_TEST_PG_BIN: "none" }, none)).toThrow(
      "there is no PostgreSQL",
    );
  });

  it("are not used instead of a DATABASE_URL that is none, which is not told", () => {
    for (const url of ["me:secret@db/app", "postgres://me:secret@/app", "mysql://me:secret@db/app"]) {
      const choose = () => chooseEngine({ DATABASE_URL: url, PATH: inPath }, none);
      expect(choose).toThrow("DATABASE_URL is no URL");
      expect(choose).not.toThrow("secret");
    }
  });
});

describe("messages of the protocol", () => {
  const open = Buffer.from([0, 0, 0, 8, 0, 3, 0, 0]);
  const tls = Buffer.alloc(8);
  tls.writeUInt32BE(8);
  tls.writeUInt32BE(opening.tls, 4);
  const query = toWireMessage("Q", "SELECT 'é'");
  const sync = toWireMessage("S");
  const whole = [
    { type: opening.tls, bytes: tls },
    { type: opening.startup, bytes: open },
    { type: "Q", bytes: query },
    { type: "S", bytes: sync },
  ];

  it.each([1, 2, 3, 5, 7, 8, 9, 1_000])("are put together from pieces of %i bytes", (size) => {
    const bytes = Buffer.concat([tls, open, query, sync]);
    const reader = new WireReader();
    const read = [];
    for (let at = 0; at < bytes.length; at += size) read.push(...reader.read(bytes.subarray(at, at + size)));
    expect(read).toEqual(whole);
  });
});

describe("a database for a test", () => {
  const query = async (url: string, text: string) => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query(text)).rows;
    } finally {
      await client.end();
    }
  };
  const tables =
    "SELECT table_name FROM information_schema.tables WHERE table_schema IN ('public', 'foundry')";
  const fill = "CREATE SCHEMA foundry; CREATE TABLE foundry.one (a int); CREATE TABLE two (a int)";

  it("is empty, and so is the next", { timeout: 60_000 }, async () => {
    const first = await createTestDatabase();
    expect({ ...first, url: "", close: undefined }).toEqual({
      url: "",
      engine: isConcurrent ? "PostgreSQL" : "PGlite",
      isConcurrent,
      close: undefined,
    });
    expect(await query(first.url, tables)).toEqual([]);
    await query(first.url, fill);
    expect(await query(first.url, tables)).toHaveLength(2);
    await first.close();
    const second = await createTestDatabase();
    expect(await query(second.url, tables)).toEqual([]);
    await second.close();
  });

  it("is reached by a process that is told its URL", { timeout: 60_000 }, async () => {
    const database = await createTestDatabase();
    const program = `
      const pg = require("pg");
      const pool = new pg.Pool({ connectionString: process.env.STORE_URL, max: 1 });
      pool.query("SELECT 6 * 7 AS answer").then(({ rows }) => console.log(rows[0].answer)).then(() => pool.end());`;
    const child = spawn(process.execPath, ["-e", program], {
      env: { ...process.env, STORE_URL: database.url },
      stdio: ["ignore", "pipe", "inherit"],
    });
    let said = "";
    child.stdout.on("data", (bytes) => {
      said += bytes;
    });
    await once(child, "close");
    await database.close();
    expect(said).toBe("42\n");
  });

  it("is not that of DATABASE_URL by accident: no program that a test starts sees it", () => {
    expect(process.env["DATABASE_URL"]).toBeUndefined();
  });

  itConcurrent("is one of many, and dropped though somebody is connected", async () => {
    const databases = await Promise.all(Array.from({ length: 5 }, () => createTestDatabase()));
    expect(new Set(databases.map(({ url }) => url)).size).toBe(5);
    const [dropped, ...rest] = databases as [TestDatabase, ...TestDatabase[]];
    const client = new pg.Client({ connectionString: dropped.url });
    const told = once(client, "error");
    // The error is emitted twice, by the server and by the connection that ends.
    client.on("error", () => undefined);
    await client.connect();
    await dropped.close();
    expect((await told)[0]).toMatchObject({ code: "57P01" });
    await expect(query(dropped.url, "SELECT 1")).rejects.toMatchObject({ code: "3D000" });
    await Promise.all(rest.map(({ close }) => close()));
  });
});
