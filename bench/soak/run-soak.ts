/**
 * Puts servers under mixed load with faults for some minutes, and proves that no acknowledged change was lost.
 *
 * Run with `npm run soak -- --minutes N`.
 */
import { execFile, spawn } from "node:child_process";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs, promisify } from "node:util";
import { foundryCli, foundryMcp } from "../../test/bins.ts";
import { startCluster } from "../../test/postgres/cluster.ts";
import { startServer } from "../postgres/server-process.ts";
import { createPlace, openWarmStore, type StorePlace } from "../postgres/warm-store.ts";
import { type FactRow, toTables, writeResults } from "../report.ts";
import { sampleSpec, taskIdOf } from "../specs/sample-specs.ts";
import { createRandom } from "../statistics.ts";
import { type Agent, type Load, runAgent, textOf } from "./agents.ts";
import { countDescriptors, readMemory, sizeOfFolder, toPercentiles } from "./samples.ts";
import type { Series } from "./series.ts";
import { type Point, toSlope } from "./slope.ts";

const agentsPerStore = 8;
const nodes = 211;
const specs = ["soak-1", "soak-2"];
const killEveryMs = 10_000;
const sampleMs = 1_000;
const percentileSeconds = 5;

const { values } = parseArgs({ options: { minutes: { type: "string", default: "30" } } });
const minutes = Number(values.minutes);
if (!(minutes > 0 && minutes <= 24 * 60)) {
  console.error("Usage: npm run soak -- --minutes N");
  process.exit(2);
}
process.exitCode = await soak(minutes);

async function soak(minutes: number): Promise<number> {
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const files = await createPlace();
    closing.push(() => files.remove());
    await mkdir(join(files.folder, "specs"));
    const database = await openDatabase(closing);
    if (database === undefined) console.log("Not soaked: PostgreSQL is not installed.");
    const groups = [];
    for (const place of database === undefined ? [files] : [files, database]) {
      const store = await openWarmStore(place);
      for (const id of specs) await store.add(id, sampleSpec(nodes, id, false));
      await store.close();
      groups.push({ place, load: createLoad() });
    }
    return await run(minutes, groups, closing);
  } finally {
    for (const close of closing.toReversed()) await close();
  }
}

interface Group {
  readonly place: StorePlace;
  readonly load: Load;
}

async function run(minutes: number, groups: readonly Group[], closing: (() => Promise<unknown>)[]) {
  const steady: {
    readonly name: string;
    readonly pid: number;
    readonly memory: Point[];
    readonly open: Point[];
  }[] = [];
  const watch = (name: string, pid: number) => steady.push({ name, pid, memory: [], open: [] });
  const start = Date.now();
  const until = start + minutes * 60_000;
  const work: Promise<unknown>[] = [];
  let kills = 0;
  for (const { place, load } of groups) {
    const server = await startServer(place);
    closing.push(() => server.close());
    watch(`server on ${place.name}`, server.pid);
    // A second server of the same store is killed again and again, at any point of a change.
    let victim = await startServer(place);
    closing.push(() => victim.close());
    const origins = [server.origin, victim.origin];
    if (place.name === "file") {
      const gateway = await startGateway(place);
      closing.push(gateway.close);
      watch("gateway", gateway.pid);
      origins.push(gateway.origin);
    }
    const killing = async () => {
      while (Date.now() + killEveryMs < until) {
        await pause(killEveryMs);
        await victim.close();
        kills += 1;
        origins.splice(1, 1);
        victim = await startServer(place);
        origins.splice(1, 0, victim.origin);
      }
    };
    work.push(killing());
    for (const [index, agent] of load.agents.entries()) {
      const random = createRandom(index + 1);
      work.push(runAgent(agent, () => origins, load, { start, until, random }));
    }
  }
  const [files] = groups;
  const disk: Point[] = [];
  const sampling = async () => {
    for (let round = 0; Date.now() < until; round++) {
      const at = (Date.now() - start) / 1_000;
      for (const { pid, memory, open } of steady) {
        const [used, descriptors] = [readMemory(pid), countDescriptors(pid)];
        if (used !== undefined) memory.push([at, used]);
        if (descriptors !== undefined) open.push([at, descriptors]);
      }
      if (files !== undefined && round % percentileSeconds === 0)
        disk.push([at, sizeOfFolder(files.place.folder)]);
      await pause(sampleMs);
    }
  };
  work.push(sampling());
  await Promise.all(work);

  const slopes = steady.flatMap(({ name, memory, open }): FactRow[] =>
    [["memory, MB", memory] as const, ["descriptors", open] as const].map(([what, points]) => {
      const found = toSlope(points);
      return {
        server: name,
        what,
        "at the end": points.at(-1)?.[1] ?? 0,
        "slope an hour": found?.slope ?? "too short",
        "95 % from": found?.low ?? "",
        to: found?.high ?? "",
        verdict: found === undefined ? "" : found.low <= 0 ? "not growing" : "GROWING",
      };
    }),
  );
  const kept: FactRow[] = [];
  for (const group of groups) kept.push(await judge(group));
  const series: readonly Series[] = [
    { title: "Memory", unit: "MB", lines: steady.map(({ name, memory }) => ({ name, points: memory })) },
    { title: "Open descriptors", unit: "", lines: steady.map(({ name, open }) => ({ name, points: open })) },
    {
      title: "95th percentile of the time of a call",
      unit: "ms",
      lines: groups.map(({ place, load }) => ({
        name: place.name,
        points: toPercentiles(load.latencies, percentileSeconds),
      })),
    },
    { title: "Disk", unit: "MB", lines: [{ name: "file", points: disk }] },
  ];
  const sections = [
    {
      title: `After ${minutes} minutes, with ${kills} killed servers`,
      result: { kind: "facts", rows: kept } as const,
      series,
    },
    { title: "Growth of memory and descriptors", result: { kind: "facts", rows: slopes } as const },
  ];
  for (const section of sections) console.log(`${toTables(section)}\n`);
  const title = "servers on files and on PostgreSQL and a gateway, under mixed load with faults";
  console.log(`Wrote ${await writeResults({ name: "soak", title }, sections)}`);
  return kept.every(({ lost }) => lost === 0) ? 0 : 1;
}

/** Reads all tasks with a new store, and counts the acknowledged changes that are missing. */
async function judge({ place, load }: Group): Promise<FactRow> {
  const store = await openWarmStore(place);
  let lost = 0;
  for (const { specId: spec_id, taskId: task_id, acknowledged, sent } of load.agents) {
    const text = JSON.stringify(await store.call("task", { action: "info", spec_id, task_id }));
    // A change that was sent but not acknowledged may have been made.
    const possible = Array.from(
      { length: sent - acknowledged + 1 },
      (_, more) => `"${textOf(acknowledged + more)}"`,
    );
    if (acknowledged > 0 && !possible.some((each) => text.includes(each))) lost += 1;
  }
  await store.close();
  const changes = load.agents.reduce((sum, { acknowledged }) => sum + acknowledged, 0);
  const { codes, ...counts } = load.counts;
  const refusals = [...codes].map(([code, count]) => `${code} ${count}`).join(", ");
  return { store: place.name, ...counts, "acknowledged changes, at least": changes, lost, refusals };
}

function createLoad(): Load {
  const agents = Array.from({ length: agentsPerStore }, (_, index): Agent => {
    const specId = specs[index % specs.length] as string;
    return { specId, taskId: taskIdOf(nodes, index * 3), acknowledged: 0, sent: 0 };
  });
  return { agents, counts: { answered: 0, refused: 0, failed: 0, codes: new Map() }, latencies: [] };
}

async function openDatabase(closing: (() => Promise<unknown>)[]) {
  const isInstalled = await promisify(execFile)("pg_ctl", ["--version"]).then(
    () => true,
    () => false,
  );
  if (!isInstalled) return undefined;
  const cluster = await startCluster({ durable: true });
  closing.push(() => cluster.close());
  const place = await createPlace(cluster.url);
  closing.push(() => place.remove());
  return place;
}

/** Starts a gateway before a server on the files of a place. */
async function startGateway({ folder, env }: StorePlace) {
  const child = spawn(
    process.execPath,
    [foundryCli, "gateway", "--port", "0", "--", process.execPath, foundryMcp],
    {
      cwd: folder,
      env: { PATH: process.env["PATH"], ...env },
      stdio: ["ignore", "ignore", "pipe"],
    },
  );
  const ended = new Promise<void>((resolve) => void child.once("close", () => resolve()));
  let text = "";
  child.stderr.setEncoding("utf8");
  for await (const part of child.stderr.iterator({ destroyOnReturn: false })) {
    text += part;
    const origin = /http:\/\/[^/\s]+/.exec(text)?.[0];
    if (origin === undefined) continue;
    child.stderr.resume();
    const close = async () => {
      child.kill("SIGTERM");
      await ended;
    };
    return { origin, pid: child.pid as number, close };
  }
  throw new Error(`The gateway ended before it listened: ${text.slice(0, 1_000)}`);
}
