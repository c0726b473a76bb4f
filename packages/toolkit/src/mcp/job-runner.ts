import { randomUUID } from "node:crypto";
import { internal } from "@foundry-mcp/contract";
import { silentLogger } from "../context/logger.ts";
import { toJobError } from "../jobs/job-failures.ts";
import type { JobStore, LeasedJob } from "../jobs/job-store.ts";
import type { Registry } from "../registry/registry.ts";
import { runJob } from "./run-job.ts";

/** Runs the jobs of one registry in this process. */
export interface JobRunner {
  /** The name of this process in leases. */
  readonly owner: string;
  /** Starts a leased job, and returns at once. */
  start(leased: LeasedJob): void;
  /** Takes over a job if nobody runs it and no answer is missing. */
  take(id: string): Promise<void>;
  /** Resolves when the job has changed, or after a time, because another process may have changed it. */
  changed(id: string): Promise<void>;
  /** Stops the runs of this process and releases their leases. */
  close(): Promise<void>;
}

/** A run of this process. */
interface Running {
  readonly controller: AbortController;
  readonly leased: LeasedJob;
  readonly done: Promise<void>;
}

/** The time between two removals of expired jobs; expired jobs are unknown at once, so only their space is at stake. */
const sweepMs = 600_000;

/** Creates the runner; it renews its leases and looks for orphaned jobs until it is closed. */
export function createJobRunner(registry: Registry, store: JobStore): JobRunner {
  const owner = randomUUID();
  const logger = registry.options.logger ?? silentLogger;
  const running = new Map<string, Running>();
  const waiting = new Map<string, Set<() => void>>();
  const { leaseMs, pollIntervalMs } = store.limits;
  let isClosed = false;

  const wake = (id: string): void => {
    for (const resolve of waiting.get(id) ?? []) resolve();
  };
  const changed = (id: string): Promise<void> =>
    new Promise((resolve) => {
      const listeners = waiting.get(id) ?? new Set();
      const end = (): void => {
        clearTimeout(timer);
        listeners.delete(end);
        if (listeners.size === 0) waiting.delete(id);
        resolve();
      };
      const timer = setTimeout(end, pollIntervalMs).unref();
      waiting.set(id, listeners.add(end));
    });

  const start = (leased: LeasedJob): void => {
    const { job, lease } = leased;
    const controller = new AbortController();
    const { signal } = controller;
    const run = async (): Promise<void> => {
      // The answer of the call, with the handle, is sent before the job begins.
      await new Promise((resolve) => setImmediate(resolve));
      try {
        await runJob({ registry, store, signal, changed: () => changed(job.id) }, leased);
      } catch (err) {
        // The store failed. The job keeps its lease until it passes; then any process takes it over.
        logger.error({ err, job: job.id }, "job");
        const error = toJobError(internal("Cannot store the end of the job"), job);
        await store.finish(lease, { error }).catch(() => {});
      } finally {
        running.delete(job.id);
      }
    };
    running.set(job.id, { controller, leased, done: run() });
  };

  /** Aborts a run whose job was cancelled, has expired or was taken over. */
  const check = async (id: string, renews: boolean): Promise<void> => {
    const run = running.get(id);
    if (run === undefined) return;
    const { lease } = run.leased;
    const job = renews ? await store.renew(lease) : await store.check(lease);
    if (job === undefined) run.controller.abort();
  };
  const guarded = (work: Promise<unknown>): void => {
    work.catch((err) => logger.warn({ err }, "jobs"));
  };

  const claim = async (id: string): Promise<void> => {
    if (isClosed || running.has(id)) return;
    const leased = await store.claim(id, owner);
    if (leased !== undefined) start(leased);
  };
  const recover = async (): Promise<void> => {
    for (const id of await store.runnable()) await claim(id);
  };

  const stopListening = store.onChange((id) => {
    wake(id);
    if (running.has(id)) guarded(check(id, false));
  });
  const renewal = setInterval(() => {
    for (const id of running.keys()) guarded(check(id, true));
  }, leaseMs / 3).unref();
  const recovery = setInterval(() => guarded(recover()), leaseMs).unref();
  const removal = setInterval(() => guarded(store.sweep()), sweepMs).unref();
  guarded(recover());
  guarded(store.sweep());

  return {
    owner,
    start,
    take: claim,
    changed,
    async close() {
      isClosed = true;
      clearInterval(renewal);
      clearInterval(recovery);
      clearInterval(removal);
      stopListening();
      const runs = [...running.values()];
      for (const { controller } of runs) controller.abort();
      await Promise.all(runs.map(({ done }) => done));
      for (const { leased } of runs) await store.release(leased.lease);
      runners.delete(registry);
    },
  };
}

const runners = new WeakMap<Registry, JobRunner>();

/** Returns the runner of a registry with a store of jobs; creates it on the first call. */
export function jobRunnerOf(registry: Registry, store: JobStore): JobRunner {
  const known = runners.get(registry);
  if (known !== undefined) return known;
  const runner = createJobRunner(registry, store);
  runners.set(registry, runner);
  return runner;
}
