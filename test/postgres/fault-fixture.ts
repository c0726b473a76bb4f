import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "@foundry-mcp/contract";
import pg from "pg";
import { expect } from "vitest";
import type { Cluster } from "./cluster.ts";
import { type Caller, type FaultServer, openFaultServer } from "./fault-servers.ts";
import { createLoadSpecs, expectKept, idleSpec, type Load, loadSpecs } from "./write-load.ts";

/** Two servers that share a separate database, with three clients each. */
export interface FaultFixture {
  /** The direct URL of the database, without faults. */
  readonly url: string;
  readonly servers: readonly [FaultServer, FaultServer];
  /** The clients of the first and of the second server, in alternation. */
  readonly callers: readonly Caller[];
  /** Expects both servers to report whether the database is ready. */
  expectReady(isReady: boolean): Promise<void>;
  /** Waits on the first server for a change of the idle spec, which `expectRecovered` changes. */
  wait(): Promise<Envelope>;
  /** Expects that no change was lost or made twice, and that all calls work again over the same connections. */
  expectRecovered(load: Load): Promise<void>;
  close(): Promise<void>;
}

let databases = 0;

/** Opens a fixture in a cluster. `port` is the port of the proxy in front of the cluster. */
export async function openFaultFixture(
  cluster: Cluster,
  { port, options = [] }: { readonly port?: number; readonly options?: readonly string[] } = {},
): Promise<FaultFixture> {
  const name = `bench_${++databases}`;
  await runSql(cluster.url, `CREATE DATABASE ${name} TEMPLATE template0`);
  const url = cluster.urlOf(name);
  await createLoadSpecs(url);
  const used = port === undefined ? url : Object.assign(new URL(url), { port: String(port) }).href;
  const servers = await Promise.all([
    openFaultServer({ args: ["--store", used, ...options] }),
    openFaultServer({ args: options, env: { DATABASE_URL: used, FOUNDRY_STORE: "postgres" } }),
  ]);
  const [first, second] = servers;
  const callers = await Promise.all(
    [first, second, first, second, first, second].map((server) => server.connect()),
  );

  async function expectReady(isReady: boolean): Promise<void> {
    const expected = [isReady ? 200 : 503, { database: isReady }];
    expect(await Promise.all(servers.map((server) => server.ready()))).toEqual([expected, expected]);
  }
  async function expectWoken(): Promise<void> {
    const waiting = wait(0);
    // The call must already be waiting when the change is made.
    await pause(300);
    await wake();
    expect(await waiting).toMatchObject({ success: true, data: { changed: true, timed_out: false } });
  }
  // The timeout is shorter than the polling interval, so that only a notification can end the wait.
  const wait = (at: number) =>
    callerAt(at).call("task", { action: "wait", spec_id: idleSpec, for: "change", timeout_seconds: 25 });
  async function wake(): Promise<void> {
    const entry = { action: "add", spec_id: idleSpec, title: "wake", content: "up" };
    expect((await callerAt(1).call("journal", entry)).success).toBe(true);
  }
  function callerAt(at: number): Caller {
    const caller = callers[at];
    if (caller === undefined) throw new Error(`There is no client ${at}`);
    return caller;
  }
  return {
    ...{ url, servers, callers, expectReady, wait: () => wait(2) },
    async expectRecovered(load) {
      await expectReady(true);
      await expectKept(url, load);
      const seen = callers.map(async ({ call }) => {
        const lists = loadSpecs.map((spec_id) => call("journal", { action: "list", spec_id, limit: 1 }));
        return (await Promise.all(lists)).map(({ success, data }) => [
          success,
          data["revision"],
          data["total_count"],
        ]);
      });
      const [one, ...others] = await Promise.all(seen);
      for (const other of others) expect(other).toEqual(one);
      const rows = await runSql(
        url,
        "SELECT counter || '-' || hash AS revision FROM foundry.spec WHERE id <> 'idle' ORDER BY id",
      );
      expect(one?.map(([, revision]) => ({ revision }))).toEqual(rows);
      await expectWoken();
    },
    async close() {
      for (const server of servers) await server.close();
    },
  };
}

/** Runs statements over a new connection. */
export async function runSql(url: string, text: string): Promise<readonly Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}
