import { once } from "node:events";
import { connect } from "node:net";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { openPgliteServer, type PgliteServer } from "./pglite-server.ts";

let server: PgliteServer;
beforeAll(async () => {
  server = await openPgliteServer(500);
});
afterEach(() => server.clear());
afterAll(() => server.close());

const openPool = () => new pg.Pool({ connectionString: server.url, max: 1 });

describe("PGlite behind a port", () => {
  it("answers statements with parameters, one after the other", async () => {
    const pool = openPool();
    await pool.query("CREATE TABLE t (a int PRIMARY KEY, b text, c jsonb)");
    for (let a = 1; a <= 20; a += 1)
      await pool.query("INSERT INTO t VALUES ($1, $2, $3)", [a, `é ${a}`, { a }]);
    const { rows } = await pool.query("SELECT a, b, c FROM t WHERE a > $1 ORDER BY a", [18]);
    expect(rows).toEqual([
      { a: 19, b: "é 19", c: { a: 19 } },
      { a: 20, b: "é 20", c: { a: 20 } },
    ]);
    await pool.end();
  });

  it("carries texts that take many pieces, both ways", async () => {
    const pool = openPool();
    const text = "0123456789abcdeé".repeat(200_000);
    const { rows } = await pool.query("SELECT $1::text AS text, length($1::text) AS size", [text]);
    expect(rows[0].size).toBe(text.length);
    expect(rows[0].text === text).toBe(true);
    await pool.end();
  });

  it("commits, rolls back, and goes on after what failed", async () => {
    const pool = openPool();
    const client = await pool.connect();
    await client.query("CREATE TABLE t (a int PRIMARY KEY)");
    await client.query("BEGIN");
    await client.query("INSERT INTO t VALUES ($1)", [1]);
    await expect(client.query("INSERT INTO t VALUES ($1)", [1])).rejects.toMatchObject({ code: "23505" });
    await expect(client.query("SELECT 1")).rejects.toMatchObject({ code: "25P02" });
    await client.query("ROLLBACK");
    await client.query("BEGIN");
    await client.query("INSERT INTO t VALUES ($1)", [2]);
    await client.query("COMMIT");
    await expect(client.query("SELEC 1")).rejects.toMatchObject({ code: "42601" });
    expect((await client.query("SELECT a FROM t")).rows).toEqual([{ a: 2 }]);
    client.release();
    await pool.end();
  });

  it("takes client after client, each with a session of its own, whatever the last was in the middle of", async () => {
    const first = new pg.Client({ connectionString: server.url });
    first.on("error", () => undefined);
    await first.connect();
    await first.query("CREATE TABLE t (a int)");
    await first.query("SET statement_timeout = 12345");
    await first.query({ name: "kept", text: "SELECT 1" });
    await first.query("SELECT pg_advisory_lock(7)");
    await first.query("BEGIN");
    await first.query("INSERT INTO t VALUES (1)");
    await expect(first.query("SELEC")).rejects.toMatchObject({ code: "42601" });
    // This line ends the connection without a message, as a killed process does.
    (first as unknown as { connection: { stream: { destroy(): void } } }).connection.stream.destroy();
    const second = new pg.Client({ connectionString: server.url });
    await second.connect();
    expect((await second.query("SELECT a FROM t")).rows).toEqual([]);
    expect((await second.query("SHOW statement_timeout")).rows).toEqual([{ statement_timeout: "0" }]);
    expect((await second.query("SELECT name FROM pg_prepared_statements WHERE name <> ''")).rows).toEqual([]);
    expect((await second.query("SELECT 1 FROM pg_locks WHERE locktype = 'advisory'")).rows).toEqual([]);
    await second.end();
    for (let time = 0; time < 10; time += 1) {
      const next = new pg.Client({ connectionString: server.url });
      await next.connect();
      await next.query("INSERT INTO t VALUES ($1)", [time]);
      await next.end();
    }
    const pool = openPool();
    expect((await pool.query("SELECT count(*)::int AS count FROM t")).rows).toEqual([{ count: 10 }]);
    await pool.end();
  });

  it("refuses a second connection while there is one, and says why", async () => {
    const pool = openPool();
    await pool.query("SELECT 1");
    const second = new pg.Client({ connectionString: server.url });
    await expect(second.connect()).rejects.toMatchObject({
      code: "53300",
      message: "PGlite has one connection, and it is taken: use a pool of one, and close it",
    });
    expect((await pool.query("SELECT 2 AS two")).rows).toEqual([{ two: 2 }]);
    await pool.end();
  });

  it("refuses encryption, after which a client goes on without", async () => {
    const socket = connect(Number(new URL(server.url).port), "127.0.0.1");
    socket.write(Buffer.from([0, 0, 0, 8, 0x04, 0xd2, 0x16, 0x2f]));
    expect(String((await once(socket, "data"))[0])).toBe("N");
    socket.destroy();
  });

  it("is empty after clear, which cuts the connection", async () => {
    const client = new pg.Client({ connectionString: server.url });
    const cut = once(client, "error");
    await client.connect();
    await client.query('CREATE SCHEMA foundry; CREATE TABLE foundry.t (a int); CREATE SCHEMA "o""dd"');
    await server.clear();
    await cut;
    const pool = openPool();
    const { rows } = await pool.query("SELECT nspname FROM pg_namespace WHERE nspname !~ '^pg_' ORDER BY 1");
    expect(rows).toEqual([{ nspname: "information_schema" }, { nspname: "public" }]);
    await pool.end();
  });
});
