import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import pg from "pg";
import { afterEach, describe, expect, it } from "vitest";
import { type Cluster, type ClusterOptions, startCluster } from "./cluster.ts";
import { findBinaries } from "./find-binaries.ts";
import { whenGone } from "./processes.ts";

const open: { close(): Promise<void> }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.close();
});

async function start(options?: ClusterOptions): Promise<Cluster> {
  const cluster = await startCluster(options);
  open.push(cluster);
  return cluster;
}
function connect(url: string, max = 4): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max });
  // Tests end these connections on purpose, so their errors are ignored.
  pool.on("error", () => undefined);
  open.push({ close: () => pool.end() });
  return pool;
}
const folderOf = (cluster: Cluster) => decodeURIComponent(new URL(cluster.url).hostname);
const setting = async (pool: pg.Pool, name: string) => (await pool.query(`SHOW ${name}`)).rows[0]?.[name];

const hasPrograms = findBinaries(process.env) !== undefined;
describe.skipIf(!hasPrograms)(`a throw-away cluster${hasPrograms ? "" : " (no initdb here)"}`, () => {
  it("takes many connections, and is hasty", async () => {
    const cluster = await start();
    const pool = connect(cluster.url);
    const clients = await Promise.all([pool.connect(), pool.connect(), pool.connect()]);
    const pids = await Promise.all(clients.map((client) => client.query("SELECT pg_backend_pid() AS pid")));
    for (const client of clients) client.release();
    expect(new Set(pids.map(({ rows }) => rows[0]?.pid)).size).toBe(3);
    expect(await setting(pool, "fsync")).toBe("off");
    expect(await setting(pool, "listen_addresses")).toBe("");
    await pool.query("CREATE DATABASE other");
    const { rows } = await connect(cluster.urlOf("other")).query("SELECT current_database() AS name");
    expect(rows).toEqual([{ name: "other" }]);
  });

  it("takes settings", async () => {
    const pool = connect((await start({ settings: { max_connections: "7", fsync: "on" } })).url);
    expect(await setting(pool, "max_connections")).toBe("7");
    expect(await setting(pool, "fsync")).toBe("on");
    expect(await setting(pool, "synchronous_commit")).toBe("off");
  });

  it("with a password listens on 127.0.0.1 and asks for it", async () => {
    const cluster = await start({ password: "it's 100 % @secret/:?" });
    expect(new URL(cluster.url).hostname).toBe("127.0.0.1");
    const { rows } = await connect(cluster.url).query("SELECT inet_server_addr() AS address");
    expect(rows).toEqual([{ address: "127.0.0.1" }]);
    const wrong = Object.assign(new URL(cluster.url), { password: "secret" }).href;
    await expect(connect(wrong).query("SELECT 1")).rejects.toMatchObject({ code: "28P01" });
    await cluster.stop();
    await cluster.start();
    await expect(connect(cluster.url).query("SELECT 1 AS one")).resolves.toMatchObject({
      rows: [{ one: 1 }],
    });
    expect(await cluster.readLog()).not.toContain("@secret");
  });

  it("is stopped and started at the same place, with what was committed", async () => {
    const cluster = await start();
    const pool = connect(cluster.url);
    await pool.query("CREATE TABLE t AS SELECT 1 AS a");
    await cluster.stop();
    await expect(pool.query("SELECT a FROM t")).rejects.toMatchObject({ code: "ENOENT" });
    await cluster.start();
    expect((await pool.query("SELECT a FROM t")).rows).toEqual([{ a: 1 }]);
    await expect(cluster.start()).rejects.toThrow("The cluster runs");
  });

  it("is killed with every backend, in the middle of a statement, and keeps what was committed if durable", {
    timeout: 30_000,
  }, async () => {
    const cluster = await start({ durable: true });
    const pool = connect(cluster.url);
    expect(await setting(pool, "fsync")).toBe("on");
    expect(await setting(pool, "full_page_writes")).toBe("on");
    await pool.query("CREATE TABLE t (a int)");
    await pool.query("INSERT INTO t VALUES (1)");
    const client = await pool.connect();
    const lost = once(client, "error");
    // The error may be emitted twice.
    client.on("error", () => undefined);
    await client.query("BEGIN; INSERT INTO t VALUES (2)");
    const { rows } = await client.query("SELECT pg_backend_pid() AS pid");
    // A waiting backend would detect the end of its postmaster. This backend is busy and does not check.
    await client.query("SET statement_timeout = '60s'");
    const busy = client.query("DO $$ BEGIN LOOP END LOOP; END $$").catch((error: Error) => error.message);
    await cluster.kill();
    expect(await busy).toMatch(/^(Connection terminated unexpectedly|read ECONNRESET)$/);
    await lost;
    client.release(true);
    await whenGone([rows[0]?.pid]);
    await cluster.kill();
    await cluster.start();
    expect((await pool.query("SELECT a FROM t")).rows).toEqual([{ a: 1 }]);
    expect(await cluster.readLog()).toContain("was not properly shut down");
  });

  it("leaves nothing when it is closed, running or killed", async () => {
    const clusters = await Promise.all([startCluster(), startCluster()]);
    const folders = clusters.map(folderOf);
    const pids = folders.map((folder) =>
      Number.parseInt(readFileSync(join(folder, "data/postmaster.pid"), "utf8"), 10),
    );
    await clusters[1].kill();
    const client = new pg.Client({ connectionString: clusters[0].url });
    const told = once(client, "notice");
    client.on("error", () => undefined);
    await client.connect();
    expect(folders.map((folder) => existsSync(folder))).toEqual([true, true]);
    await Promise.all(clusters.map((cluster) => cluster.close()));
    expect(folders.map((folder) => existsSync(folder))).toEqual([false, false]);
    // A server whose folder was removed also ends without a signal, but later and with another message.
    expect((await told)[0]).toMatchObject({ message: expect.stringContaining("immediate shutdown") });
    for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow("ESRCH");
    const error = new pg.Client({ connectionString: clusters[0].url }).connect();
    await expect(error).rejects.toMatchObject({ code: "ENOENT" });
  });

  it("says why it does not start, and leaves nothing", async () => {
    const error = await startCluster({ settings: { max_connections: "many" } }).then(
      () => undefined,
      (reason: Error) => reason,
    );
    expect(error?.message).toMatch(/did not start: it ended with 1\n.*max_connections.*many/s);
  });

  it.each(["SIGKILL", "SIGTERM", "exit"])("ends with the process that started it: %s", async (end) => {
    const built = fileURLToPath(new URL("../../.build/test/postgres/cluster.js", import.meta.url));
    const program = `
      const { startCluster } = await import(${JSON.stringify(built)});
      const pg = (await import("pg")).default;
      const cluster = await startCluster();
      const client = new pg.Client({ connectionString: cluster.url });
      client.on("error", () => undefined);
      await client.connect();
      const { rows } = await client.query("SELECT pg_backend_pid() AS pid, current_setting('data_directory') AS data");
      process.send(rows[0]);
      ${end === "exit" ? "await client.end(); process.disconnect();" : ""}`;
    const child = spawn(process.execPath, ["--input-type=module", "-e", program], {
      stdio: ["ignore", "inherit", "inherit", "ipc"],
    });
    const [{ pid, data }] = (await once(child, "message")) as [{ pid: number; data: string }];
    if (end !== "exit") child.kill(end as NodeJS.Signals);
    await once(child, "exit");
    await whenGone([pid]);
    // The cleanup process removes the folder after the other processes have ended, and emits no event.
    await expect.poll(() => existsSync(data)).toBe(false);
  });
});
