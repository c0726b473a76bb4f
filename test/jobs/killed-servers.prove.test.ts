import { mkdir, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { hasEnded, type Job, type JobStore } from "@foundry-mcp/toolkit/jobs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openDatabase } from "#built/foundry/postgres/database.js";
import { migrate } from "#built/foundry/postgres/migrate.js";
import { addWorkspace } from "#built/foundry/postgres/workspaces.js";
import { createTestDatabase, describeConcurrent } from "../postgres/test-databases.ts";
import { startWorker, type WorkerProcess } from "../specs/worker-process.ts";
import { openSharedJobs, resultOf } from "./job-worker.ts";

/** A line that a server prints. */
interface Line {
  readonly created?: string;
  readonly seed?: number;
  readonly started?: string;
  readonly finished?: string;
  readonly lost?: string;
  readonly twice?: string;
  readonly stopped?: string;
  readonly token?: number;
}

const serverCount = 4;
const jobsPerServer = 25;
const wantedKills = 24;

let folder: string;
let servers: WorkerProcess[];
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "foundry-killed-servers-"));
  await mkdir(join(folder, "marks"));
  servers = [];
});
afterEach(async () => {
  for (const { child } of servers) child.kill("SIGKILL");
  await Promise.all(servers.map(({ ended }) => ended));
  await rm(folder, { recursive: true, force: true });
});

/** The servers of a run. Each server creates its share of the jobs, and each killed server is replaced. */
class Run {
  readonly #place: string;
  /** The servers of each slot. The newest server is last. */
  readonly #slots: readonly WorkerProcess[][] = Array.from({ length: serverCount }, () => []);

  constructor(place: string) {
    this.#place = place;
    for (const slot of this.#slots.keys()) this.#start(slot);
  }

  get lines(): readonly Line[] {
    return this.#slots.flat().flatMap(({ lines }) => lines as readonly Line[]);
  }

  get created(): readonly string[] {
    return this.lines.flatMap(({ created }) => created ?? []);
  }

  #start(slot: number): void {
    const earlier = this.#slots[slot] ?? [];
    const seeds = earlier.flatMap(({ lines }) =>
      (lines as readonly Line[]).flatMap(({ seed }) => seed ?? []),
    );
    const first = slot * jobsPerServer + seeds.length;
    const count = jobsPerServer - seeds.length;
    const name = `server-${slot}-${earlier.length}`;
    const args = [this.#place, join(folder, "marks"), name, String(first), String(count)];
    const server = startWorker("../jobs/job-worker", args);
    servers.push(server);
    earlier.push(server);
  }

  /** Fails as soon as a job runs twice at a time, or a server ends by itself. */
  requireSound(): void {
    expect(this.lines.filter(({ twice }) => twice !== undefined)).toEqual([]);
    const last = this.#slots.flatMap((slot) => slot.at(-1) ?? []);
    expect(last.map(({ child }) => child.exitCode)).toEqual(Array(serverCount).fill(null));
  }

  /**
   * Kills a random server that has run jobs, and starts another in its place. Returns false if no server has run a job
   * yet, as on a busy machine.
   */
  async kill(): Promise<boolean> {
    const hasRun = ({ lines }: WorkerProcess) => (lines as readonly Line[]).some(({ started }) => started);
    const busy = this.#slots.flatMap((slot, index) => {
      const server = slot.at(-1);
      return server !== undefined && hasRun(server) ? [{ server, index }] : [];
    });
    const victim = busy[Math.floor(Math.random() * busy.length)];
    if (victim === undefined) return false;
    victim.server.child.kill("SIGKILL");
    await victim.server.ended;
    this.#start(victim.index);
    return true;
  }

  /** Lets the servers end by themselves. Returns their exit codes. */
  async end(): Promise<readonly (number | null)[]> {
    const last = this.#slots.flatMap((slot) => slot.at(-1) ?? []);
    for (const { child } of last) child.stdin?.end();
    return Promise.all(last.map(({ ended }) => ended));
  }
}

/** Returns the end of a job, with its whole result. The archive may contain the result. */
async function endOf(store: JobStore, { id, principal }: Job) {
  const { status, result, error, isRepeatable } = await store.get(principal, id);
  return {
    status,
    result,
    code: (error?.data?.["data"] as { error_code?: string })?.error_code,
    isRepeatable,
  };
}

async function prove(place: string, label: string): Promise<void> {
  const began = performance.now();
  const run = new Run(place);
  const store = await openSharedJobs(place);
  let kills = 0;
  while (kills < wantedKills || run.created.length < serverCount * jobsPerServer) {
    await pause(100 + Math.random() * 500);
    run.requireSound();
    if (kills < wantedKills && (await run.kill())) kills += 1;
  }
  const list = async () => {
    run.requireSound();
    return store.list("ann");
  };
  await expect
    .poll(async () => (await list()).filter((job) => !hasEnded(job)).length, { timeout: 120_000 })
    .toBe(0);
  const jobs = await list();
  expect(await run.end()).toEqual(Array(serverCount).fill(0));
  const { lines, created } = run;

  // No job is lost: a job that a server has reported is stored.
  const ids = new Set(jobs.map(({ id }) => id));
  expect(new Set(created).size).toBe(serverCount * jobsPerServer);
  expect(created.filter((id) => !ids.has(id))).toEqual([]);

  // No job has run twice at a time (requireSound), and no two runs have the same fencing token.
  const starts = lines.flatMap(({ started, token }) =>
    started === undefined ? [] : [`${started} ${token}`],
  );
  expect(new Set(starts).size).toBe(starts.length);

  // Each job ends once, with its result. Only a job that must not run twice may fail, and only because it was
  // interrupted.
  const finished = lines.flatMap((line) => line.finished ?? []);
  expect(new Set(finished).size).toBe(finished.length);
  let failed = 0;
  for (const job of jobs) {
    const end = await endOf(store, job);
    const { isRepeatable } = end;
    if (end.status === "failed") {
      failed += 1;
      expect(end).toEqual({
        status: "failed",
        result: undefined,
        code: "JOB_INTERRUPTED",
        isRepeatable: false,
      });
      expect(finished).not.toContain(job.id);
    } else {
      const result = resultOf(Number(job.call.args["seed"]));
      expect(end).toEqual({ status: "completed", result, code: undefined, isRepeatable });
    }
  }
  const stopped = lines.filter((line) => line.stopped !== undefined).length;
  const repeated = jobs.filter(({ runs }) => runs > 1).length;
  expect(repeated).toBeGreaterThan(0);
  const seconds = ((performance.now() - began) / 1_000).toFixed(1);
  process.stdout.write(
    `${jobs.length} jobs by ${serverCount} servers on ${label}, ${kills} killed: ${repeated} jobs ran again, ${failed} interrupted for good, ${stopped} taken over from a server that was stopped for longer than its lease, ${seconds} s\n`,
  );
  await store.close();
}

describe("jobs of servers that are killed at random", () => {
  it("end once in one folder, and none is lost", () => prove(join(folder, "state"), "one folder"));
});

describeConcurrent("jobs of servers on one database that are killed at random", () => {
  it("end once, and none is lost", async () => {
    const test = await createTestDatabase();
    const database = await openDatabase({ url: test.url, poolSize: 1 });
    await migrate(database);
    expect(await addWorkspace(database, "default")).toBe(1);
    await database.close();
    try {
      await prove(test.url, "one PostgreSQL");
    } finally {
      for (const { child } of servers) child.kill("SIGKILL");
      await Promise.all(servers.map(({ ended }) => ended));
      await test.close();
    }
  });
});
