import { setTimeout as pause } from "node:timers/promises";
import pg from "pg";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { type Cluster, startCluster } from "./cluster.ts";
import { type FaultFixture, openFaultFixture } from "./fault-fixture.ts";
import { type FaultProxy, openFaultProxy } from "./fault-proxy.ts";
import { outputs } from "./fault-servers.ts";
import { findBinaries } from "./find-binaries.ts";
import { countCodes, expectTyped, Load } from "./write-load.ts";

// Every part of the password that could leak contains this word.
const password = "Hush1@Hush2:/Hush3?#%4 ,Hush5'é";
const secret = /hush/i;

const hasPrograms = findBinaries(process.env) !== undefined;
describe.skipIf(!hasPrograms)(
  `a database that breaks under load${hasPrograms ? "" : " (no initdb here)"}`,
  () => {
    let cluster: Cluster;
    let proxy: FaultProxy;
    let fixture: FaultFixture;
    beforeAll(async () => {
      cluster = await startCluster({ durable: true, password });
      proxy = await openFaultProxy(Number(new URL(cluster.url).port));
    });
    afterAll(async () => {
      await proxy.close();
      await cluster.close();
    });
    afterEach(async () => {
      proxy.cutEvery(0);
      await fixture.close();
      expect(outputs.filter((text) => secret.test(text))).toEqual([]);
    });

    function report(what: string, { made, refusals }: Load): void {
      process.stdout.write(
        `${what}: ${made.size} changes made, refused ${JSON.stringify(countCodes(refusals))}\n`,
      );
    }

    it("loses nothing when it is killed, and is found again when it is back", async () => {
      fixture = await openFaultFixture(cluster);
      const load = new Load(fixture.callers);
      for (let kills = 0; kills < 3; kills++) {
        await load.more(40);
        await cluster.kill();
        if (kills > 0) await load.refusal();
        await fixture.expectReady(false);
        await cluster.start();
      }
      await load.more(40);
      await load.end();
      report("killed 3 times", load);
      expectTyped(load.refusals, ["UNAVAILABLE"]);
      expect(load.refusals.length).toBeGreaterThan(0);
      await fixture.expectRecovered(load);
    });

    it("loses nothing when it is told to stop, and who waited before hears of changes when it is back", async () => {
      fixture = await openFaultFixture(cluster);
      const waiting = fixture.wait();
      const load = new Load(fixture.callers);
      await load.more(40);
      await cluster.stop();
      await load.refusal();
      await cluster.start();
      await load.more(40);
      await load.end();
      report("stopped", load);
      expectTyped(load.refusals, ["UNAVAILABLE"]);
      await fixture.expectRecovered(load);
      expect((await waiting).data).toMatchObject({ changed: true, timed_out: false });
    });

    it("loses nothing when it ends connections", async () => {
      fixture = await openFaultFixture(cluster);
      const load = new Load(fixture.callers);
      const killer = new pg.Client({ connectionString: fixture.url });
      await killer.connect();
      let ended = 0;
      for (let turns = 0; ended < 40; turns++) {
        // Every tenth time, idle connections are also cut.
        const { rowCount } = await killer.query(
          `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
          WHERE application_name = 'foundry-mcp' AND (state <> 'idle' OR ${turns % 10 === 0})`,
        );
        ended += rowCount ?? 0;
        await pause(20);
      }
      await killer.end();
      await load.more(40);
      await load.end();
      report(`${ended} connections ended`, load);
      expectTyped(load.refusals, ["UNAVAILABLE"]);
      await fixture.expectRecovered(load);
    });

    it("does nothing twice when connections break in the middle of answers", async () => {
      fixture = await openFaultFixture(cluster, { port: proxy.port });
      const load = new Load(fixture.callers);
      await load.more(30);
      for (const every of [40, 11, 7, 23]) {
        proxy.cutEvery(every);
        await load.more(60);
      }
      const { cuts } = proxy;
      proxy.cutEvery(0);
      await load.more(30);
      await load.end();
      report(`${cuts} answers cut`, load);
      expect(cuts).toBeGreaterThan(40);
      expectTyped(load.refusals, ["UNAVAILABLE"]);
      await fixture.expectRecovered(load);
    });
  },
);
