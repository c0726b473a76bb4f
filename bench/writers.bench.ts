import { mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { toMeasurement } from "./measure.ts";
import { again, pick, timeRounds } from "./postgres/time-rounds.ts";
import type { Bench } from "./report.ts";
import { toLatencies } from "./writers/latencies.ts";
import { type Load, type LoadedServer, openLoadedServer } from "./writers/load.ts";
import { measureTurns } from "./writers/turns.ts";

const one: Load = { writers: 1, readers: 0, changes: 16 };
const many: Load = { writers: 48, readers: 0, changes: 2 };
const mixed: Load = { writers: 17, readers: 83, changes: 4 };

/**
 * Measures concurrent changes of one spec of 2,000 tasks on files. If BENCH_BASELINE names the folder of another built
 * checkout, the same loads are put on its server in the same rounds.
 */
export const writers: Bench = {
  name: "writers",
  title: "many writers on one spec of 2,000 tasks, over HTTP",
  run: async ({ quick = false }) => {
    const baseline = process.env["BENCH_BASELINE"];
    const versions = [
      { version: "", program: undefined },
      ...(baseline === undefined
        ? []
        : [{ version: "baseline, ", program: join(baseline, "packages/foundry/bin/foundry-cli.cjs") }]),
    ];
    const servers: LoadedServer[] = [];
    try {
      const latencies: Record<string, ReturnType<typeof toLatencies>> = {};
      const contenders = [];
      const mixes = [];
      for (const { version, program } of versions) {
        const server = await openLoadedServer(await mkdtemp(join(tmpdir(), "bench-writers-")), program);
        servers.push(server);
        const toContender = (name: string, load: Load) => {
          const latency = toLatencies();
          latencies[name] = latency;
          return {
            name,
            async sample() {
              const sample = await server.run(load);
              latency.add(sample);
              return sample.ms / sample.writes.length;
            },
          };
        };
        const base = toContender(`${version}1 client`, one);
        contenders.push(base, toContender(`${version}48 clients`, many));
        if (version === "") contenders.push({ ...base, name: again(base.name) });
        // The first version could not make its changes within 30 seconds under this load.
        if (version === "") mixes.push(toContender("100 clients, 17 of them writing", mixed));
      }
      const rounds = quick ? 3 : 30;
      const timed = await timeRounds(contenders, { rounds, warmUps: 2 });
      const mixTimed = await timeRounds(
        [...mixes, { ...(mixes[0] as (typeof mixes)[number]), name: again(mixes[0]?.name ?? "") }],
        { rounds: quick ? 1 : 4, warmUps: 1 },
      );
      const turns = await measureTurns(quick);
      console.log("Latency in milliseconds");
      console.table(Object.entries(latencies).flatMap(([name, each]) => each.rows(name)));
      console.log("Processes that take turns on one spec; milliseconds from the call to the answer");
      console.table(turns);
      const names = contenders.map(({ name }) => name).filter((name) => name !== again("1 client"));
      return [
        {
          title: "Time of a change",
          result: toMeasurement(pick(timed, [...names, again("1 client")]), "1 client"),
          latencies: Object.entries(latencies).flatMap(([name, each]) => each.rows(name)),
        },
        {
          title: "Time of a change while other clients read",
          result: toMeasurement(mixTimed, mixes[0]?.name ?? ""),
          turns,
        },
      ];
    } finally {
      for (const server of servers) await server.close();
    }
  },
};
