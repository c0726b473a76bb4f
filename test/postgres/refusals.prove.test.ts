import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { openPostgres } from "#built/foundry/app/open-postgres.js";
import { callCli, runProgram, serverScript } from "../specs/programs.ts";
import { type Cluster, startCluster } from "./cluster.ts";
import { runSql } from "./fault-fixture.ts";
import { openFaultServer, outputs } from "./fault-servers.ts";
import { findBinaries } from "./find-binaries.ts";

// Every part of the password that could leak contains this word.
const password = "Hush1@Hush2:/Hush3?#%4 ,Hush5'é";
const plain = "Hush,1@Hush2";
const secret = /hush/i;

const hasPrograms = findBinaries(process.env) !== undefined;
describe.skipIf(!hasPrograms)(`a database that refuses${hasPrograms ? "" : " (no initdb here)"}`, () => {
  let cluster: Cluster;
  let folder: string;
  /** Returns the address of a database for a user. */
  const urlOf = (user: string, database: string) => {
    const { host } = new URL(cluster.url);
    return `postgres://${user}:${encodeURIComponent(password)}@${host}/${database}`;
  };
  const sql = (text: string, database = "postgres") => runSql(cluster.urlOf(database), text);
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), "refusals-"));
    cluster = await startCluster({ password });
    const quoted = pg.escapeLiteral(password);
    for (const role of ["stranger", "reader"]) await sql(`CREATE ROLE ${role} LOGIN PASSWORD ${quoted}`);
    await sql(`CREATE ROLE comma LOGIN SUPERUSER PASSWORD ${pg.escapeLiteral(plain)}`);
    for (const name of ["used", "fresh", "newer", "others"])
      await sql(`CREATE DATABASE ${name} TEMPLATE template0`);
    await sql("CREATE DATABASE ascii TEMPLATE template0 ENCODING 'SQL_ASCII' LC_COLLATE 'C' LC_CTYPE 'C'");
    for (const name of ["used", "newer"]) await createWorkspaceIn(cluster.urlOf(name));
    await sql("INSERT INTO foundry.migration (number, name) VALUES (99, 'later')", "newer");
    await sql("CREATE TABLE accounts (id int)", "others");
  });
  afterAll(async () => {
    await cluster.close();
    await rm(folder, { recursive: true, force: true });
    expect(outputs.filter((text) => secret.test(text))).toEqual([]);
  });

  /**
   * Returns the output of a command, of `doctor` and of a server start for a store. The output must not contain a
   * secret.
   */
  async function ask(env: Readonly<Record<string, string>>) {
    const options = { cwd: folder, env: { ...env, FOUNDRY_LOG_LEVEL: "debug" } };
    const [found, doctor, server] = await Promise.all([
      find(env),
      callCli(["doctor"], options),
      runProgram([process.execPath, serverScript], options),
    ]);
    outputs.push(JSON.stringify([doctor, server]));
    const { checks = [] } = doctor.data as { checks?: readonly { name: string; ok: boolean }[] };
    return { found, server, database: checks.find(({ name }) => name === "database") };
  }
  async function find(env: Readonly<Record<string, string>>): Promise<Envelope> {
    const found = await callCli(["specs", "find"], { cwd: folder, env });
    outputs.push(JSON.stringify(found));
    return found;
  }
  const codeOf = ({ data }: Envelope) => data["error_code"];

  it.each([
    [
      "the password",
      () => urlOf("stranger", "used").replace("Hush5", "Hush6"),
      "FORBIDDEN",
      /password/,
      "28P01",
    ],
    ["the user", () => urlOf("nobody", "used"), "FORBIDDEN", /password/, "28P01"],
    ["the name", () => urlOf("postgres", "missing"), "NOT_FOUND", /no such database/, "3D000"],
    ["to be read", () => urlOf("reader", "used"), "FORBIDDEN", /lacks a right/, "42501"],
  ])("%s: whoever starts a server hears it at once", async (_what, url, code, says, reason) => {
    const { found, server, database } = await ask({ FOUNDRY_STORE: url() });
    expect(found).toMatchObject({
      success: false,
      error: expect.stringMatching(/^Cannot /),
      data: { error_code: code, details: { dependency: "postgresql", reason } },
    });
    expect(found.error).toMatch(says);
    expect(found.data["remediation"]).toMatch(/Check the user and the password|Create it/);
    expect([server.code, server.stdout]).toEqual([1, ""]);
    expect(server.stderr).toMatch(says);
    expect(database).toMatchObject({ ok: false, message: expect.stringMatching(says) });
  });

  it("an encoding that cannot hold every text", async () => {
    const { found, server } = await ask({ FOUNDRY_STORE: urlOf("postgres", "ascii") });
    expect([codeOf(found), server.code]).toEqual(["INVALID_STATE", 1]);
    expect(found.error).toContain("SQL_ASCII");
  });

  it("to be set up by reads, though it is selected; a server over stdio starts and says what to do", async () => {
    const { found, server, database } = await ask({
      DATABASE_URL: urlOf("postgres", "others"),
      FOUNDRY_STORE: "postgres",
    });
    expect([codeOf(found), found.data["remediation"], server.code]).toEqual([
      "UNAVAILABLE",
      "Run foundry-cli store migrate, then try again.",
      0,
    ]);
    expect(server.stderr).toContain("it has no schema of Foundry");
    expect(database).toMatchObject({ ok: false, message: expect.stringContaining("store migrate") });
    expect(await sql("SELECT 1 FROM pg_namespace WHERE nspname = 'foundry'", "others")).toEqual([]);
  });

  it("to have tables made", async () => {
    const made = await callCli(["store", "migrate"], {
      cwd: folder,
      env: { FOUNDRY_STORE: urlOf("stranger", "fresh") },
    });
    outputs.push(JSON.stringify(made));
    expect(made).toMatchObject({
      success: false,
      error: expect.stringMatching(/lacks a right/),
      data: { error_code: "FORBIDDEN", details: { dependency: "postgresql", reason: "42501" } },
    });
  });

  it("to be encrypted, or to be a database at all", async () => {
    const used = urlOf("postgres", "used");
    const encrypted = await find({ FOUNDRY_STORE: `${used}?sslmode=require` });
    expect([codeOf(encrypted), encrypted.data["remediation"]]).toEqual([
      "UNAVAILABLE",
      expect.stringContaining("sslmode"),
    ]);
    const file = await find({ FOUNDRY_STORE: `${used}?sslrootcert=/nothing.pem` });
    expect([codeOf(file), file.data["remediation"]]).toEqual([
      "UNAVAILABLE",
      expect.stringContaining("sslrootcert"),
    ]);
    const web = createServer((_request, response) => response.end("hello"));
    await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
    const { port } = web.address() as AddressInfo;
    const other = await find({ FOUNDRY_STORE: Object.assign(new URL(used), { port: String(port) }).href });
    web.close();
    expect(codeOf(other)).toBe("UNAVAILABLE");
  });

  it("nobody who writes the password as it is, @ and comma and all", async () => {
    const { host } = new URL(cluster.url);
    const { found, database } = await ask({ FOUNDRY_STORE: `postgres://comma:${plain}@${host}/used` });
    expect([found.success, database]).toEqual([
      true,
      { name: "database", ok: true, message: `postgres://comma:***@${host}/used, workspace default` },
    ]);
  });

  it.each([
    `postgres://me:1/${plain}@127.0.0.1/used`,
    `postgres://me:${plain}%E0@127.0.0.1/used`,
    `postgres://me:${plain}@127.0.0.1:99999/used`,
    `postgres:/me:${plain}@127.0.0.1/used`,
    `mysql://me:${plain}@127.0.0.1/used`,
  ])("an address that cannot be read, and does not repeat it (%#)", async (url) => {
    const { found, server } = await ask({ FOUNDRY_STORE: url });
    expect([codeOf(found), server.code]).toEqual(["VALIDATION_ERROR", 1]);
    expect(found.data["details"]).toMatchObject({ field: "store" });
  });

  it("a schema that is newer: no server starts, and one that runs is not ready", async () => {
    const url = cluster.urlOf("newer");
    const { found, server: refused } = await ask({ FOUNDRY_STORE: url });
    expect([codeOf(found), refused.code]).toEqual(["INVALID_STATE", 1]);
    expect(found.data).toMatchObject({
      remediation: expect.stringContaining("Update foundry-mcp"),
      details: { schema: 99 },
    });
    expect(refused.stderr).toContain("its schema is at step 99");
    await sql("DELETE FROM foundry.migration WHERE number = 99", "newer");
    const server = await openFaultServer({ args: ["--store", url] });
    const { call } = await server.connect();
    expect((await call("spec", { action: "list" })).success).toBe(true);
    expect(await server.ready()).toEqual([200, { database: true }]);
    await sql("INSERT INTO foundry.migration (number, name) VALUES (99, 'later')", "newer");
    expect(await server.ready()).toEqual([503, { database: false }]);
    await server.close();
  });

  it("a password that was changed, until it is the right one again", async () => {
    await sql(`CREATE ROLE rotated LOGIN SUPERUSER PASSWORD ${pg.escapeLiteral(password)}`);
    const server = await openFaultServer({
      env: { DATABASE_URL: urlOf("rotated", "used"), FOUNDRY_STORE: "postgres" },
    });
    const { call } = await server.connect();
    const context = await call("server", { action: "context" });
    expect(context.data["database"]).toBe(`postgres://rotated:***@${new URL(cluster.url).host}/used`);
    expect((await call("spec", { action: "list" })).success).toBe(true);
    await sql("ALTER ROLE rotated PASSWORD 'another'");
    await sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'rotated'");
    expect(codeOf(await call("spec", { action: "list" }))).toBe("FORBIDDEN");
    expect(await server.ready()).toEqual([503, { database: false }]);
    await sql(`ALTER ROLE rotated PASSWORD ${pg.escapeLiteral(password)}`);
    expect((await call("spec", { action: "list" })).success).toBe(true);
    expect(await server.ready()).toEqual([200, { database: true }]);
    await server.close();
  });
});

async function createWorkspaceIn(url: string): Promise<void> {
  await (await openPostgres({ url, workspace: "default", keepRevisions: 50 })).close();
}
