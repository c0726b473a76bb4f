import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Envelope } from "@foundry-mcp/contract";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "./cluster.ts";
import { type FaultFixture, openFaultFixture, runSql } from "./fault-fixture.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import { type Caller, outputs } from "./fault-servers.ts";
import { findBinaries } from "./find-binaries.ts";
import { childrenOf } from "./processes.ts";
import { countCodes, expectTyped, Load } from "./write-load.ts";

const password = "Hush1@Hush2:/Hush3?#%4 ,Hush5'é";
const secret = /hush/i;
/** A time that is much longer than every timeout of these servers. */
const tooLongMs = 30_000;
const maxConnections = 24;

const read: Parameters<Caller["call"]> = ["journal", { action: "list", spec_id: "one", limit: 1 }];
const write = (title: string): Parameters<Caller["call"]> => [
  "journal",
  { action: "add", spec_id: "one", title, content: "c" },
];

const hasPrograms = findBinaries(process.env) !== undefined;
describe.skipIf(!hasPrograms)(`a database that cannot${hasPrograms ? "" : " (no initdb here)"}`, () => {
  let cluster: Cluster;
  let proxy: FaultProxy;
  let fixture: FaultFixture;
  const held: pg.Client[] = [];
  beforeAll(async () => {
    cluster = await startCluster({ password, settings: { max_connections: String(maxConnections) } });
    proxy = await openFaultProxy(Number(new URL(cluster.url).port));
  });
  afterAll(async () => {
    await proxy.close();
    await cluster.close();
  });
  afterEach(async () => {
    for (const client of held.splice(0)) await client.end();
    await fixture.close();
    expect(outputs.filter((text) => secret.test(text))).toEqual([]);
  });

  function report(what: string, refusals: readonly Envelope[]): void {
    process.stdout.write(`${what}: refused ${JSON.stringify(countCodes(refusals))}\n`);
  }
  async function connect(url: string): Promise<pg.Client> {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => undefined);
    await client.connect();
    held.push(client);
    return client;
  }
  /** Returns the answers to several concurrent calls. A call that hangs counts as a failure. */
  async function callAll(calls: readonly (readonly [Caller, Parameters<Caller["call"]>])[]) {
    const started = Date.now();
    const answers = await Promise.all(calls.map(([caller, call]) => caller.call(...call)));
    expect(Date.now() - started).toBeLessThan(tooLongMs);
    return answers;
  }
  /** Holds the lock of a spec, like a statement that waits for the disk. */
  async function lock(id: string): Promise<pg.Client> {
    const client = await connect(fixture.url);
    await client.query("BEGIN");
    await client.query("SELECT 1 FROM foundry.spec WHERE id = $1 FOR UPDATE", [id]);
    return client;
  }

  it("write in time: what waits too long is given up, the rest goes on", async () => {
    fixture = await openFaultFixture(cluster, { options: ["--store-timeout", "1"] });
    const load = new Load(fixture.callers);
    await load.more(10);
    const locker = await lock("one");
    await load.refusal();
    await load.refusal();
    const others = await callAll(fixture.callers.map((caller) => [caller, read]));
    expect(others.filter(({ success }) => !success)).toEqual([]);
    await fixture.expectReady(true);
    await locker.query("COMMIT");
    await load.more(30);
    await load.end();
    report("slow", load.refusals);
    expectTyped(load.refusals, ["TIMEOUT"]);
    await fixture.expectRecovered(load);
  });

  it("answer at all: frozen, every call is answered, and thawed it goes on", async () => {
    fixture = await openFaultFixture(cluster, { options: ["--store-timeout", "1", "--store-pool", "3"] });
    const load = new Load(fixture.callers);
    await load.more(10);
    const thaw = await freeze(cluster);
    const reads = await callAll(fixture.callers.map((caller) => [caller, read]));
    expect(reads.filter(({ success }) => success)).toEqual([]);
    expectTyped(reads, ["TIMEOUT", "UNAVAILABLE", "RESOURCE_BUSY"]);
    await fixture.expectReady(false);
    thaw();
    await load.more(30);
    await load.end();
    report("frozen", load.refusals);
    expectTyped(load.refusals, ["TIMEOUT", "UNAVAILABLE", "RESOURCE_BUSY"]);
    await fixture.expectRecovered(load);
  });

  it("be heard: where the network swallows everything, every call is answered", async () => {
    fixture = await openFaultFixture(cluster, { port: proxy.port, options: ["--store-timeout", "1"] });
    const load = new Load(fixture.callers);
    await load.more(10);
    proxy.setSilent(true);
    await load.refusal();
    await fixture.expectReady(false);
    proxy.setSilent(false);
    proxy.cutAll();
    await load.more(30);
    await load.end();
    report("silent", load.refusals);
    expectTyped(load.refusals, ["TIMEOUT", "UNAVAILABLE"]);
    await fixture.expectRecovered(load);
  });

  it("give a connection: with a pool of one calls wait, and are told when it takes too long", async () => {
    fixture = await openFaultFixture(cluster, { options: ["--store-timeout", "10", "--store-pool", "1"] });
    const [first] = fixture.callers as [Caller, ...Caller[]];
    const many = await callAll(
      Array.from({ length: 60 }, (_, at) => [first, at % 2 === 0 ? read : write(`${at}`)]),
    );
    expect(many.filter(({ success }) => !success)).toEqual([]);
    const locker = await lock("one");
    const writing = first.call(...write("waits"));
    await expect.poll(() => runSql(fixture.url, waiting)).toEqual([{ count: 1 }]);
    const reads = callAll(Array.from({ length: 5 }, () => [first, read]));
    const [status, checks] = await fixture.servers[0].ready();
    expect([status, checks]).toEqual([503, { database: false }]);
    const refused = await reads;
    await locker.query("COMMIT");
    expect((await writing).success).toBe(true);
    report("full pool", refused);
    expectTyped(refused, ["RESOURCE_BUSY"]);
    expect(refused).toHaveLength(5);
    for (const { data } of refused) {
      expect(data["remediation"]).toContain("store_pool");
      expect(data["details"]).toEqual({ dependency: "postgresql", store_pool: 1 });
    }
    expect((await callAll([[first, read]]))[0]?.success).toBe(true);
  });

  it("take more connections: calls are told, and go on when there is room", async () => {
    fixture = await openFaultFixture(cluster);
    const load = new Load(fixture.callers);
    await load.more(10);
    await load.end();
    await takeAll(fixture.url, connect);
    const refused = await callAll(
      fixture.callers.flatMap((caller) => [
        [caller, read],
        [caller, write("none")],
      ]),
    );
    await fixture.expectReady(false);
    for (const client of held.splice(0)) await client.end();
    report("max_connections", refused);
    expectTyped(refused, ["RESOURCE_BUSY"]);
    for (const { data } of refused) expect(data["remediation"]).toContain("max_connections");
    await fixture.expectRecovered(load);
  });

  it("be written: reads go on, and writes too when it can", async () => {
    fixture = await openFaultFixture(cluster);
    const load = new Load(fixture.callers);
    await load.more(10);
    const name = new URL(fixture.url).pathname.slice(1);
    await runSql(cluster.url, `ALTER DATABASE ${name} SET default_transaction_read_only = on; ${endAll}`);
    await load.refusal();
    const reads = await callAll(fixture.callers.map((caller) => [caller, read]));
    expect(reads.filter(({ success }) => !success)).toEqual([]);
    await runSql(cluster.url, `ALTER DATABASE ${name} RESET default_transaction_read_only`);
    await load.more(30);
    await load.end();
    report("read-only", load.refusals);
    expectTyped(load.refusals, ["UNAVAILABLE"]);
    expect(load.refusals.map(({ data }) => (data["details"] as { reason: string }).reason)).toContain(
      "25006",
    );
    await fixture.expectRecovered(load);
  });

  it("be written as a standby: reads go on, and everything does once it is promoted", async () => {
    fixture = await openFaultFixture(cluster);
    const load = new Load(fixture.callers);
    await load.more(10);
    const [row] = await runSql(cluster.url, "SHOW data_directory");
    await cluster.stop();
    await writeFile(join(String(row?.["data_directory"]), "standby.signal"), "");
    // `start` resolves only when the standby is promoted.
    const started = cluster.start();
    await expect.poll(() => isStandby(cluster.url)).toBe(true);
    await expect.poll(() => load.refusals.at(-1)?.data["details"]).toMatchObject({ reason: "25006" });
    const reads = await callAll(fixture.callers.map((caller) => [caller, read]));
    expect(reads.filter(({ success }) => !success)).toEqual([]);
    await fixture.expectReady(false);
    await runSql(cluster.url, "SELECT pg_promote()");
    await started;
    await load.more(30);
    await load.end();
    report("standby", load.refusals);
    expectTyped(load.refusals, ["UNAVAILABLE"]);
    await fixture.expectRecovered(load);
  });
});

const ofServers = "application_name = 'foundry-mcp'";
const endAll = `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE ${ofServers}`;
const waiting = `SELECT count(*)::int FROM pg_stat_activity WHERE ${ofServers} AND wait_event_type = 'Lock'`;

async function isStandby(url: string): Promise<boolean> {
  const rows = await runSql(url, "SELECT pg_is_in_recovery() AS standby").catch(() => []);
  return rows[0]?.["standby"] === true;
}

/** Suspends all processes of a cluster. Returns a function that resumes them. */
async function freeze(cluster: Cluster): Promise<() => void> {
  const [row] = await runSql(cluster.url, "SELECT pg_read_file('postmaster.pid') AS text");
  const postmaster = Number.parseInt(String(row?.["text"]), 10);
  process.kill(postmaster, "SIGSTOP");
  // The postmaster is resumed last, so that it does not reap its children earlier.
  const pids = [...(await childrenOf(postmaster)), postmaster];
  for (const pid of pids) process.kill(pid, "SIGSTOP");
  return () => {
    for (const pid of pids) process.kill(pid, "SIGCONT");
  };
}

/** Opens all available connections of a database, including the connections that the servers need. */
async function takeAll(url: string, connect: (url: string) => Promise<pg.Client>): Promise<void> {
  const first = await connect(url);
  for (;;) {
    await first.query(endAll);
    const isFull = await connect(url).then(
      () => false,
      (error: { code?: string }) => error.code === "53300",
    );
    const { rowCount } = await first.query(`SELECT 1 FROM pg_stat_activity WHERE ${ofServers}`);
    if (isFull && rowCount === 0) return;
  }
}
