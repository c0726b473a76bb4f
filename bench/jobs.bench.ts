import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createHttpApp, type HttpApp } from "@foundry-mcp/toolkit/http";
import { createJobStore, createMemoryJobStorage, type JobStorage } from "@foundry-mcp/toolkit/jobs";
import { createFileJobStorage } from "#built/foundry/jobs/file-job-storage.js";
import { createTaskPeer } from "../test/tasks/task-peer.ts";
import { type Case, measure, type RunOptions, toMeasurement } from "./measure.ts";
import type { Bench, Section } from "./report.ts";
import { createBenchRegistry } from "./toolkit/bench-registry.ts";
import { drive, timeCalls } from "./toolkit/call-rounds.ts";
import { type Connection, connectStdio, type Era } from "./toolkit/connections.ts";
import { payloads } from "./toolkit/lookup.ts";
import { again } from "./toolkit/tables.ts";

/** Measures the cost of jobs: for calls that are no jobs, and for calls that are. */
export const jobs: Bench = {
  name: "jobs",
  title: "calls of a server with jobs, and calls that run as jobs",
  run: async (options) => [
    ...(await measurePlainCalls("legacy", options)),
    ...(await measurePlainCalls("2026-07-28", options)),
    ...(await measureJobs(options)),
  ],
};

const withoutJobs = "server without jobs";

/** Measures calls of an action that never runs as a job, on servers with and without a store of jobs. */
async function measurePlainCalls(era: Era, { quick = false }: RunOptions): Promise<Section[]> {
  const rounds = quick
    ? { rounds: 8, sampleMs: 15, warmUpMs: 100 }
    : { rounds: 60, sampleMs: 50, warmUpMs: 400 };
  const files = [
    [withoutJobs, "toolkit-stdio"],
    ["server with jobs", "jobs-stdio"],
    [again(withoutJobs), "toolkit-stdio"],
  ] as const;
  const connections = new Map<string, Connection>();
  const sections: Section[] = [];
  try {
    for (const [name, file] of files) connections.set(name, await connectStdio(file, era));
    for (const { name: size, count } of payloads) {
      const contenders = [...connections].map(([name, { call }]) => ({ name, call: () => call(count) }));
      for (const { call } of contenders) await drive(call, quick ? 600 : 4_000, 50);
      for (const inFlight of [1, 50]) {
        const timed = await timeCalls(contenders, { ...rounds, inFlight });
        const title = `No job: stdio, ${era}, ${size}, ${inFlight} in flight`;
        sections.push({ title, result: toMeasurement(timed, withoutJobs) });
      }
    }
    return sections;
  } finally {
    await Promise.allSettled([...connections.values()].map((connection) => connection.close()));
  }
}

const waiting = "the client waits";

/** Measures one call whose client waits, and the same call as a job that the client starts and then reads. */
async function measureJobs(options: RunOptions): Promise<Section[]> {
  const folder = await mkdtemp(join(tmpdir(), "bench-jobs-"));
  const inMemory = openApp(createMemoryJobStorage());
  const inFiles = openApp(createFileJobStorage({ root: folder, name: "jobs" }));
  const blocking = createTaskPeer(inMemory, undefined, {});
  const sections: Section[] = [];
  try {
    for (const { name: size, count } of payloads) {
      const args = { query: "parse", count };
      const cases: Case[] = [
        { name: waiting, run: () => blocking.request("tools/call", { name: "look-up", arguments: args }) },
        { name: "a job in memory", run: () => runJob(inMemory, args) },
        { name: "a job in files", run: () => runJob(inFiles, args) },
      ];
      sections.push({
        title: `A job: HTTP in this process, ${size}, to the result`,
        result: await measure(cases, { baseline: waiting, ...options }),
      });
    }
    return sections;
  } finally {
    await Promise.allSettled([inMemory.close(), inFiles.close()]);
    await rm(folder, { recursive: true, force: true });
  }
}

/** The jobs expire soon, so that a store holds about as many as a busy server does. */
const limits = { jobs: 1_000_000, running: 1_000_000, bytes: 2 ** 40, ttlMs: 3_000 };

function openApp(storage: JobStorage): HttpApp {
  const store = createJobStore(storage, { limits });
  const registry = createBenchRegistry({ validateOutput: false, jobs: store }, { task: "optional" });
  return createHttpApp(registry);
}

/** Starts a job and reads it until it has ended, without the pause between two polls. */
async function runJob(app: HttpApp, args: object): Promise<unknown> {
  const peer = createTaskPeer(app);
  return peer.until(await peer.start("look-up", args), "completed");
}
