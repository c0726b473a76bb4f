import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createMemoryArchive } from "../archive/memory-archive.ts";
import { createJobStore, type JobStoreOptions } from "./create-job-store.ts";
import { isJobId, type Job, type JobCall } from "./job.ts";
import type { JobStorage } from "./job-storage.ts";
import type { JobStore, NewJob } from "./job-store.ts";

/** Two storages that share the same data, which is empty at first, as if two processes had opened it. */
export type StoragePair = readonly [JobStorage, JobStorage];

const start = Date.parse("2026-11-19T12:00:00.000Z");
const call: JobCall = {
  tool: "work",
  action: "run",
  args: { size: 3, text: "ä\u2028\u0000" },
  requestId: "req_1",
  surface: "stdio",
  client: { name: "tester", version: "1" },
  dialect: "response-v2",
};
const given: NewJob = { principal: "ann", call, isRepeatable: false };
const question = { method: "elicitation/create", params: { message: "Go on?" } } as const;

/** Tests the rules of jobs on a storage. */
export function describeJobStore(name: string, openPair: () => Promise<StoragePair>): void {
  describe(name, () => {
    beforeEach(() => void vi.useFakeTimers({ toFake: ["Date"], now: start }));
    const closing: (() => Promise<void>)[] = [];
    afterEach(async () => {
      vi.useRealTimers();
      for (const close of closing.splice(0)) await close();
    });
    const pass = (milliseconds: number) => vi.setSystemTime(Date.now() + milliseconds);
    /** Two stores as two servers have them. */
    const open = async (options: JobStoreOptions = {}): Promise<readonly [JobStore, JobStore]> => {
      const [one, two] = await openPair();
      const stores = [createJobStore(one, options), createJobStore(two, options)] as const;
      for (const store of stores) closing.push(() => store.close());
      return stores;
    };
    const notFound = (id: unknown) => ({
      name: "ContractError",
      message: `Job not found: ${id}`,
      options: { errorCode: "JOB_NOT_FOUND", details: { resource_type: "job", resource_id: id } },
    });
    const stateOf = ({ status, runs, token, isParked, version }: Job) => ({
      status,
      runs,
      token,
      isParked,
      version,
    });

    it("creates a job that other servers find", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create(given, "one");
      expect(isJobId(job.id)).toBe(true);
      expect(lease).toEqual({ id: job.id, owner: "one", token: 1 });
      expect(job).toEqual({
        id: job.id,
        version: 1,
        principal: "ann",
        call,
        isRepeatable: false,
        status: "working",
        createdAt: "2026-11-19T12:00:00.000Z",
        updatedAt: "2026-11-19T12:00:00.000Z",
        ttlMs: 86_400_000,
        pollIntervalMs: 1_000,
        runs: 1,
        token: 1,
        lease: { owner: "one", expiresAt: "2026-11-19T12:00:30.000Z" },
        isParked: false,
        questions: {},
      });
      expect(await two.get("ann", job.id)).toEqual(job);
      expect(await two.list("ann")).toEqual([job]);
      expect(await two.list("bob")).toEqual([]);
    });

    it("treats the id of another principal as an unknown id", async () => {
      const [store] = await open();
      const { job } = await store.create(given, "one");
      const unknown = `job_${"0".repeat(32)}`;
      for (const [principal, id] of [
        ["bob", job.id],
        ["ann", unknown],
        ["ann", "../../x"],
      ] as const) {
        await expect(store.get(principal, id)).rejects.toMatchObject(notFound(id));
        await expect(store.cancel(principal, id)).rejects.toMatchObject(notFound(id));
        await expect(store.answer(principal, id, {})).rejects.toMatchObject(notFound(id));
      }
      expect(await store.get("ann", job.id)).toEqual(job);
    });

    it("keeps the result, and refuses a second end", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create(given, "one");
      pass(5);
      await one.report(lease, "half");
      await one.finish(lease, { result: { content: [], isError: false } });
      const { lease: _lease, ...rest } = job;
      const ended = {
        ...rest,
        version: 3,
        status: "completed",
        statusMessage: "half",
        updatedAt: "2026-11-19T12:00:00.005Z",
        result: { content: [], isError: false },
      };
      expect(await two.get("ann", job.id)).toEqual(ended);
      expect(await one.finish(lease, { error: { code: -32_603, message: "no" } })).toBeUndefined();
      expect(await one.report(lease, "more")).toBeUndefined();
      expect(await two.cancel("ann", job.id)).toEqual(ended);
    });

    it("lets one server run a job at a time", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create({ ...given, isRepeatable: true }, "one");
      expect(await two.runnable()).toEqual([]);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      pass(29_999);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      await one.renew(lease);
      pass(29_999);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      pass(1);
      expect(await two.runnable()).toEqual([job.id]);
      const claims = await Promise.all([
        one.claim(job.id, "one"),
        two.claim(job.id, "two"),
        two.claim(job.id, "three"),
      ]);
      const [claimed, ...others] = claims.filter((each) => each !== undefined);
      expect(others).toEqual([]);
      expect(stateOf(claimed!.job)).toEqual({
        status: "working",
        runs: 2,
        token: 2,
        isParked: false,
        version: 3,
      });
      // The first server has lost its lease: it can change nothing.
      expect(await one.finish(lease, { result: { stale: true } })).toBeUndefined();
      expect(await one.renew(lease)).toBeUndefined();
      expect(await two.finish(claimed!.lease, { result: { fresh: true } })).toMatchObject({
        result: { fresh: true },
      });
    });

    it("accepts the result of a late server as long as no other server took over", async () => {
      const [one] = await open();
      const { job, lease } = await one.create({ ...given, isRepeatable: true }, "one");
      pass(60_000);
      await one.finish(lease, { result: { late: true } });
      expect(await one.get("ann", job.id)).toMatchObject({ status: "completed", result: { late: true } });
    });

    it("fails an interrupted job that must not run twice", async () => {
      const [one, two] = await open();
      const { job } = await one.create(given, "one");
      pass(30_000);
      expect(await two.runnable()).toEqual([job.id]);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      const message =
        'Cannot finish the job of work(action="run"): its process ended, and it must not run twice';
      const { status, statusMessage, error } = await one.get("ann", job.id);
      expect({ status, statusMessage, error }).toMatchObject({
        status: "failed",
        statusMessage: message,
        error: {
          code: -32_603,
          message,
          data: { success: false, data: { error_code: "JOB_INTERRUPTED" }, meta: { request_id: "req_1" } },
        },
      });
      expect(await two.runnable()).toEqual([]);
    });

    it("runs a repeatable job at most three times", async () => {
      const [one, two] = await open();
      const { job } = await one.create({ ...given, isRepeatable: true }, "one");
      for (const runs of [2, 3]) {
        pass(30_000);
        expect((await two.claim(job.id, "two"))?.job.runs).toBe(runs);
      }
      pass(30_000);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      expect(await one.get("ann", job.id)).toMatchObject({
        status: "failed",
        statusMessage: 'Cannot finish the job of work(action="run"): it was interrupted 3 times',
      });
    });

    it("hands a released job to the next server at once", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create({ ...given, isRepeatable: true }, "one");
      await one.release(lease);
      expect((await two.claim(job.id, "two"))?.lease).toEqual({ id: job.id, owner: "two", token: 2 });
    });

    it("asks, takes part of the answers, and goes on", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create(given, "one");
      const asked = await one.ask(lease, { question_1: question, question_2: question });
      expect(stateOf(asked!)).toEqual({
        status: "input_required",
        runs: 1,
        token: 1,
        isParked: true,
        version: 2,
      });
      const half = await two.answer("ann", job.id, { question_1: { action: "decline" }, other: 1 });
      expect(half).toMatchObject({
        status: "input_required",
        questions: {
          question_1: { request: question, answer: { action: "decline" } },
          question_2: { request: question },
        },
      });
      // An answer is final, and unknown keys are ignored.
      expect(await two.answer("ann", job.id, { question_1: { action: "accept" }, constructor: 1 })).toEqual(
        half,
      );
      const full = await two.answer("ann", job.id, { question_2: { action: "cancel" } });
      expect(stateOf(full)).toEqual({ status: "working", runs: 1, token: 1, isParked: true, version: 4 });
      expect(stateOf((await one.resume(lease))!)).toEqual({
        status: "working",
        runs: 1,
        token: 1,
        isParked: false,
        version: 5,
      });
    });

    it("waits for answers after a crash, and then runs again with them", async () => {
      const [one, two] = await open();
      const { job, lease } = await one.create(given, "one");
      await one.ask(lease, { question_1: question });
      pass(60_000);
      expect(await two.runnable()).toEqual([]);
      expect(await two.claim(job.id, "two")).toBeUndefined();
      await two.answer("ann", job.id, { question_1: { action: "accept" } });
      expect(await two.runnable()).toEqual([job.id]);
      const claimed = await two.claim(job.id, "two");
      const again = await two.ask(claimed!.lease, { question_1: question });
      expect(again).toMatchObject({
        status: "working",
        runs: 2,
        questions: { question_1: { request: question, answer: { action: "accept" } } },
      });
      await two.resume(claimed!.lease);
      // From this point on, the handler may have made changes, so the job must not run again.
      pass(30_000);
      expect(await one.claim(job.id, "one")).toBeUndefined();
      expect((await one.get("ann", job.id)).status).toBe("failed");
    });

    it("cancels at every step", async () => {
      const [one, two] = await open();
      const cancelled = { status: "cancelled" };
      const working = await one.create(given, "one");
      expect(await two.cancel("ann", working.job.id)).toMatchObject(cancelled);
      expect(await one.renew(working.lease)).toBeUndefined();
      expect(await one.finish(working.lease, { result: {} })).toBeUndefined();
      const waiting = await one.create(given, "one");
      await one.ask(waiting.lease, { question_1: question });
      expect(await two.cancel("ann", waiting.job.id)).toMatchObject(cancelled);
      expect(await two.answer("ann", waiting.job.id, { question_1: 1 })).toMatchObject(cancelled);
      const orphaned = await one.create(given, "one");
      pass(30_000);
      expect(await two.cancel("ann", orphaned.job.id)).toMatchObject(cancelled);
      expect(await two.runnable()).toEqual([]);
    });

    it("forgets a job after its time to live", async () => {
      const [one, two] = await open({ limits: { ttlMs: 100_000 } });
      const { job, lease } = await one.create({ ...given, ttlMs: 50_000 }, "one");
      const { job: longest } = await one.create({ ...given, ttlMs: 999_999 }, "one");
      expect([job.ttlMs, longest.ttlMs]).toEqual([50_000, 100_000]);
      pass(49_999);
      expect((await two.get("ann", job.id)).id).toBe(job.id);
      pass(1);
      await expect(two.get("ann", job.id)).rejects.toMatchObject(notFound(job.id));
      expect(await one.finish(lease, { result: {} })).toBeUndefined();
      expect(await two.claim(job.id, "two")).toBeUndefined();
      expect((await two.list("ann")).map(({ id }) => id)).toEqual([longest.id]);
      expect([await two.sweep(), await one.sweep()]).toEqual([1, 0]);
    });

    it("limits the jobs of each principal", async () => {
      const exhausted = (limit: number, of: string) => ({
        message: `Cannot start a job: this principal has reached the limit of ${limit} ${of}`,
        options: { errorCode: "RESOURCE_EXHAUSTED", details: { limit, of } },
      });
      const [store] = await open({ limits: { jobs: 3, running: 2, bytes: 4_000, ttlMs: 1_000 } });
      const created = await Promise.allSettled([1, 2, 3].map(() => store.create(given, "one")));
      expect(created.map(({ status }) => status)).toEqual(["fulfilled", "fulfilled", "rejected"]);
      await expect(store.create(given, "one")).rejects.toMatchObject(exhausted(2, "running jobs"));
      for (const { id } of await store.list("ann")) await store.cancel("ann", id);
      await store.create({ ...given, principal: "bob" }, "one");
      await store.cancel("ann", (await store.create(given, "one")).job.id);
      await expect(store.create(given, "one")).rejects.toMatchObject(exhausted(3, "jobs"));
      const large = { ...given, principal: "bob", call: { ...call, args: { text: "x".repeat(4_000) } } };
      await expect(store.create(large, "one")).rejects.toMatchObject(exhausted(4_000, "bytes of jobs"));
      pass(1_000);
      expect((await store.create(given, "one")).job.status).toBe("working");
    });

    it("archives a large result, and fails without an archive", async () => {
      const limits = { resultBytes: 100 };
      const result = { content: [{ type: "text", text: "y".repeat(500) }] };
      const [one, two] = await open({ limits, archive: createMemoryArchive() });
      const { job, lease } = await one.create(given, "one");
      await one.finish(lease, { result });
      expect(await two.get("ann", job.id)).toMatchObject({ status: "completed", result });
      expect((await two.list("ann"))[0]?.result).toBeUndefined();
      const [without] = await open({ limits });
      const { job: other, lease: otherLease } = await without.create({ ...given, principal: "bob" }, "one");
      await without.finish(otherLease, { result });
      expect(await without.get("bob", other.id)).toMatchObject({
        status: "failed",
        error: { code: -32_603, data: { data: { error_code: "CONTENT_TOO_LARGE" } } },
      });
    });

    it("tells listeners of the same store which jobs changed", async () => {
      const [store] = await open();
      const seen: string[] = [];
      const stop = store.onChange((id) => void seen.push(id));
      const { job, lease } = await store.create(given, "one");
      await store.report(lease, "a");
      await store.report(lease, "a");
      stop();
      await store.report(lease, "b");
      expect(seen).toEqual([job.id, job.id]);
    });
  });
}
