import { createHash } from "node:crypto";
import { linkSync, readFileSync, renameSync, rmSync, unlinkSync, writeFileSync, writeSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { createFileArchive } from "@foundry-mcp/toolkit/archive";
import { createJobStore, type Job, type JobStore, type LeasedJob } from "@foundry-mcp/toolkit/jobs";
import { createFileJobStorage } from "#built/foundry/jobs/file-job-storage.js";
import { createPostgresJobStorage } from "#built/foundry/jobs/postgres-job-storage.js";
import { createPostgresArchive } from "#built/foundry/postgres/archive/postgres-archive.js";
import { openDatabase } from "#built/foundry/postgres/database.js";
import { sampleJob } from "./sample-job.ts";

// This program is one of several servers that create and run the jobs of one store. It may be killed at any time.

/** The limits of all servers of a run, and of the test that reads their jobs. */
export const limits = { jobs: 1_000, running: 1_000, resultBytes: 1_000, leaseMs: 4_000, runs: 100 };

/** Opens the store of jobs in a folder, or in the workspace 1 of a database. */
export async function openSharedJobs(place: string): Promise<JobStore> {
  if (!place.startsWith("postgres")) {
    const archive = createFileArchive({ folder: join(place, "archive") });
    return createJobStore(createFileJobStorage({ root: place, name: "jobs" }), { limits, archive });
  }
  const database = await openDatabase({ url: place, poolSize: 4 });
  const archive = createPostgresArchive(database, 1);
  return createJobStore(createPostgresJobStorage(database, 1), { limits, archive });
}

/**
 * Returns the result that every run of a job with this seed must have. Every fifth result is too large for the job
 * itself.
 */
export function resultOf(seed: number) {
  const text = createHash("sha256").update(`seed ${seed}`).digest("hex");
  return { content: [{ type: "text", text: text.repeat(seed % 5 === 0 ? 40 : 1) }] };
}

/** Prints a line synchronously, so that it is not lost if the process is killed in the next step. */
const say = (line: object): void => void writeSync(1, `${JSON.stringify(line)}\n`);

/**
 * Marks a job as running until the end of its lease, and reports a live process that runs it too. A process that was
 * stopped for longer than its lease is no fault of the store: the fencing token makes it harmless.
 */
function enter(mark: string, job: Job): void {
  const mine = writeMark(mark, job);
  try {
    linkSync(mine, mark);
    unlinkSync(mine);
  } catch {
    const { pid, until } = JSON.parse(readFileSync(mark, "utf8")) as { pid: number; until: string };
    const now = new Date().toISOString();
    if (isAlive(pid))
      say({ [now < until ? "twice" : "stopped"]: job.id, now, until, pids: [process.pid, pid] });
    renameSync(mine, mark);
  }
}

/** Writes a mark under a name of this process, so that no other process sees half a mark. */
function writeMark(mark: string, { lease }: Job): string {
  const path = `${mark}-${process.pid}`;
  writeFileSync(path, JSON.stringify({ pid: process.pid, until: lease?.expiresAt }));
  return path;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function run(store: JobStore, marks: string, { job, lease }: LeasedJob): Promise<void> {
  const { id, token } = job;
  const seed = Number(job.call.args["seed"]);
  const mark = join(marks, id);
  enter(mark, job);
  say({ started: id, token });
  let isOurs = true;
  for (let step = 0; isOurs && step < 3 + (seed % 9); step++) {
    await pause(10 + Math.random() * 60);
    const renewed = await store.renew(lease);
    isOurs = renewed !== undefined;
    if (renewed !== undefined) renameSync(writeMark(mark, renewed), mark);
  }
  if (!isOurs) return say({ lost: id, token });
  rmSync(mark, { force: true });
  const ended = await store.finish(lease, { result: resultOf(seed) });
  say(ended === undefined ? { lost: id, token } : { finished: id, token });
}

async function main([place = "", marks = "", name = "", first = "0", count = "0"]: readonly string[]) {
  const store = await openSharedJobs(place);
  const running = new Map<string, Promise<void>>();
  const start = (leased: LeasedJob): void => {
    const { id } = leased.job;
    running.set(
      id,
      run(store, marks, leased).finally(() => running.delete(id)),
    );
  };
  let isOver = false;
  process.stdin.resume().on("end", () => {
    isOver = true;
  });
  let seed = Number(first);
  while (!isOver) {
    if (seed < Number(first) + Number(count) && running.size < 4) {
      const call = { ...sampleJob.call, args: { seed } };
      const leased = await store.create({ ...sampleJob, call, isRepeatable: seed % 4 !== 0 }, name);
      say({ created: leased.job.id, seed });
      start(leased);
      seed += 1;
    }
    for (const id of await store.runnable()) {
      if (running.size >= 6) break;
      const leased = running.has(id) ? undefined : await store.claim(id, name);
      if (leased !== undefined) start(leased);
    }
    await pause(20);
  }
  await Promise.all(running.values());
  process.exit(0);
}

if (process.argv[1] === import.meta.filename) await main(process.argv.slice(2));
