import { availableParallelism } from "node:os";
import { type RunOptions, toMeasurement } from "../measure.ts";
import type { Section } from "../report.ts";
import { toEstimate } from "../statistics.ts";
import { cpuOf } from "./cpu-time.ts";
import { type Crew, clients, type Fleet } from "./fleet.ts";
import { again, pick, timeRounds } from "./time-rounds.ts";

/** One row of the table of calls per second. CPU is in milliseconds per call. */
export interface ThroughputRow {
  readonly row: string;
  readonly callsPerSecond: number;
  readonly serverCpu: number;
  readonly databaseCpu: number;
  readonly clientCpu: number;
  /** The number of cores that all processes together kept busy. */
  readonly cores: number;
  readonly bound: string;
}

/** A table with calls per second in addition to the usual table of times. */
export interface ThroughputSection extends Section {
  readonly throughput: readonly ThroughputRow[];
}

interface Load {
  readonly title: string;
  /** The number of calls that each client makes for a sample. */
  readonly calls: number;
  call(crew: Crew, client: number): Promise<unknown>;
}

const loads: readonly Load[] = [
  { title: "next", calls: 20, call: ({ next }, client) => next(client) },
  {
    title: "complete, each client a spec of its own",
    calls: 5,
    call: ({ completeOwn }, client) => completeOwn(client),
  },
  {
    title: "complete, all clients the same spec",
    calls: 2,
    call: ({ completeShared }, client) => completeShared(client),
  },
];

/** Measures calls per second with 1, 2 and 4 server processes of each store, all in the same rounds. */
export async function measureThroughput(
  fleets: readonly Fleet[],
  { quick = false }: RunOptions,
): Promise<readonly ThroughputSection[]> {
  const sections: ThroughputSection[] = [];
  for (const load of loads) {
    const runs = fleets.flatMap((fleet) => fleet.crews.map((crew) => toRun(load, fleet, crew)));
    const timed = await timeRounds(runs, quick ? { rounds: 3, warmUps: 1 } : { rounds: 30, warmUps: 2 });
    const base = runs[0]?.name ?? "";
    const names = runs.map(({ name }) => name).filter((name) => name !== again(base));
    sections.push({
      title: `${load.title}, ${clients} clients`,
      result: toMeasurement(pick(timed, [...names, again(base)]), base),
      throughput: runs.map((run) => run.toRow(pick(timed, [run.name])[0]?.samples ?? [])),
    });
  }
  return sections;
}

function toRun({ calls, call }: Load, { watch, servers }: Fleet, crew: Crew) {
  const pids = servers.map(({ pid }) => pid);
  const spent = { calls: 0, ms: 0, server: 0, database: 0, client: 0 };
  const readCpu = async () => {
    const { user, system } = process.cpuUsage();
    return { server: cpuOf(pids), database: (await watch?.cpu()) ?? 0, client: (user + system) / 1_000 };
  };
  return {
    name: crew.name,
    async sample(): Promise<number> {
      const before = await readCpu();
      const start = performance.now();
      const work = async (client: number) => {
        for (let left = calls; left > 0; left--) await call(crew, client);
      };
      await Promise.all(Array.from({ length: clients }, (_, client) => work(client)));
      const ms = performance.now() - start;
      const after = await readCpu();
      spent.calls += clients * calls;
      spent.ms += ms;
      for (const part of ["server", "database", "client"] as const) spent[part] += after[part] - before[part];
      return ms / (clients * calls);
    },
    toRow(samples: readonly number[]): ThroughputRow {
      const { server, database, client, ms } = spent;
      const all = server + database + client;
      return {
        row: crew.name,
        callsPerSecond: Math.round(1_000 / toEstimate(samples).median),
        serverCpu: server / spent.calls,
        databaseCpu: database / spent.calls,
        clientCpu: client / spent.calls,
        cores: all / ms,
        bound: toBound(server / ms / crew.servers, all / ms),
      };
    },
  };
}

const nearly = 0.8;

/**
 * Returns the resource that limits the number of calls. A server has one thread, so it can use at most one
 * core.
 */
function toBound(perServer: number, cores: number): string {
  if (Number.isNaN(cores)) return "not told here";
  if (perServer >= nearly) return "CPU of the servers";
  if (cores >= nearly * availableParallelism()) return "CPU of the machine";
  return "waiting for disk or turn";
}
