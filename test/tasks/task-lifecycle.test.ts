import { createRegistry, defineTool, type Tool } from "@foundry-mcp/toolkit";
import { createHttpApp, type HttpApp, type HttpAppOptions } from "@foundry-mcp/toolkit/http";
import {
  createJobStore,
  createMemoryJobStorage,
  hasExpired,
  type JobLimits,
  type JobStorage,
} from "@foundry-mcp/toolkit/jobs";
import { afterEach, describe, expect, it, vi } from "vitest";
import { z } from "zod";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createTaskPeer, offersAll, type TaskPeer } from "./task-peer.ts";
import { taskTools } from "./task-tools.ts";

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Opens a server on a storage. Several servers on one storage represent several processes. */
function openServer(
  storage: JobStorage = createMemoryJobStorage(),
  {
    tools = taskTools,
    limits = {},
    ...options
  }: HttpAppOptions & { tools?: Tool[]; limits?: JobLimits } = {},
): { readonly app: HttpApp; readonly peer: TaskPeer; close(): Promise<void> } {
  const jobs = createJobStore(storage, { limits: { pollIntervalMs: 10, leaseMs: 300, ...limits } });
  const registry = createRegistry({ name: "tasks", version: "1.0.0", tools, jobs, logger: silentLogger });
  const app = createHttpApp(registry, { logger: silentLogger, ...options });
  closing.push(() => app.close());
  return { app, peer: createTaskPeer(app), close: () => app.close() };
}

/** Creates a storage that stops accepting writes, like the storage of a process that was killed. */
function breakable(storage: JobStorage): JobStorage & { break(): void } {
  let isBroken = false;
  const guard =
    <A extends readonly unknown[], R>(work: (...args: A) => Promise<R>) =>
    (...args: A): Promise<R> =>
      isBroken ? new Promise(() => {}) : work(...args);
  return {
    create: guard(storage.create),
    read: guard(storage.read),
    replace: guard(storage.replace),
    list: guard(storage.list),
    delete: guard(storage.delete),
    break() {
      isBroken = true;
    },
  };
}

const answerAnn = { action: "accept", content: { name: "Ann" } };
const notFound = (taskId: string) => ({
  error: expect.objectContaining({
    code: -32_602,
    message: `Job not found: ${taskId}`,
    data: expect.objectContaining({
      success: false,
      data: expect.objectContaining({ error_code: "JOB_NOT_FOUND" }),
    }),
  }),
});

describe("a task", () => {
  it("tells its progress, and keeps its result", async () => {
    const { peer } = openServer();
    const taskId = await peer.start("count", { steps: 60, stepMs: 10 });
    const told = await peer.until(taskId, "completed");
    const again = await peer.request("tasks/get", { taskId });
    expect(again.result).toEqual(told);
    expect(told).toMatchObject({
      resultType: "complete",
      taskId,
      status: "completed",
      statusMessage: expect.stringMatching(/^step \d+$/),
      ttlMs: 86_400_000,
      pollIntervalMs: 10,
      result: { resultType: "complete", structuredContent: { success: true, data: { counted: 60 } } },
    });
  });

  it("is cancelled at every step of its life", async () => {
    const { peer } = openServer();
    for (const [tool, status] of [
      ["hang", "working"],
      ["greet", "input_required"],
    ] as const) {
      const taskId = await peer.start(tool);
      await peer.until(taskId, status);
      expect((await peer.request("tasks/cancel", { taskId })).result).toMatchObject({
        resultType: "complete",
      });
      const cancelled = await peer.until(taskId, "cancelled");
      expect(Object.keys(cancelled)).not.toContain("result");
      // The cancellation is final.
      await peer.request("tasks/update", { taskId, inputResponses: { question_1: answerAnn } });
      expect((await peer.request("tasks/cancel", { taskId })).error).toBeUndefined();
      expect((await peer.request("tasks/get", { taskId })).result).toEqual(cancelled);
    }
    const done = await peer.start("only");
    const ended = await peer.until(done, "completed");
    await peer.request("tasks/cancel", { taskId: done });
    expect((await peer.request("tasks/get", { taskId: done })).result).toEqual(ended);
  });

  it("aborts its handler when another server cancels it", async () => {
    const storage = createMemoryJobStorage();
    let aborted: (() => void) | undefined;
    const ended = new Promise<void>((resolve) => {
      aborted = resolve;
    });
    const wait = defineTool({
      name: "wait",
      version: "1.0.0",
      description: "Waits for the signal",
      task: "optional",
      run: async (_input, { signal }) => {
        await new Promise((resolve) => signal.addEventListener("abort", resolve, { once: true }));
        aborted?.();
        return {};
      },
    });
    const one = openServer(storage, { tools: [wait] });
    const two = openServer(storage, { tools: [wait] });
    const taskId = await one.peer.start("wait");
    await two.peer.request("tasks/cancel", { taskId });
    await ended;
    expect((await one.peer.request("tasks/get", { taskId })).result).toMatchObject({ status: "cancelled" });
  });

  it("is unknown to other principals", async () => {
    const tokens = ["ann", "bob"].map((principal) => ({ principal, token: `${principal}-0123456789abcdef` }));
    const { app } = openServer(undefined, { tokens });
    const [ann, bob] = tokens.map(({ token }) => createTaskPeer(app, token)) as [TaskPeer, TaskPeer];
    const taskId = await ann.start("greet");
    await ann.until(taskId, "input_required");
    const unknown = `job_${"0".repeat(32)}`;
    for (const id of [taskId, unknown]) {
      expect(await bob.request("tasks/get", { taskId: id })).toMatchObject(notFound(id));
      expect(await bob.request("tasks/cancel", { taskId: id })).toMatchObject(notFound(id));
      const inputResponses = { question_1: answerAnn };
      expect(await bob.request("tasks/update", { taskId: id, inputResponses })).toMatchObject(notFound(id));
    }
    expect((await ann.request("tasks/get", { taskId })).result).toMatchObject({ status: "input_required" });
  });

  it("is forgotten after its time to live, and its work stops", async () => {
    const { peer } = openServer(undefined, { limits: { ttlMs: 150, leaseMs: 60 } });
    const taskId = await peer.start("hang");
    await expect(peer.until(taskId, "cancelled", "failed", "completed")).rejects.toThrow("JOB_NOT_FOUND");
  });

  it("is removed from the store after its time to live, by any server", async () => {
    const storage = createMemoryJobStorage();
    const first = openServer(storage, { limits: { ttlMs: 20 } });
    const taskId = await first.peer.start("only");
    await first.close();
    const job = await storage.read(taskId);
    if (job === undefined) throw new Error("The job is gone already");
    await vi.waitFor(() => expect(hasExpired(job, Date.now())).toBe(true));
    openServer(storage);
    await vi.waitFor(async () => expect(await storage.read(taskId)).toBeUndefined());
  });

  it("is found by a client that comes back, whatever happened meanwhile", async () => {
    const { app, peer } = openServer();
    const taskId = await peer.start("greet");
    const comesBack = createTaskPeer(app);
    const asking = await comesBack.until(taskId, "input_required");
    expect(asking["inputRequests"]).toMatchObject({
      question_1: {
        method: "elicitation/create",
        params: { mode: "form", message: "What is your name?", requestedSchema: { required: ["name"] } },
      },
    });
    await createTaskPeer(app).request("tasks/update", { taskId, inputResponses: { question_1: answerAnn } });
    expect(await createTaskPeer(app).until(taskId, "completed")).toMatchObject({
      result: { structuredContent: { data: { greeting: "Hello, Ann!" } } },
    });
  });

  it("takes answers that are given after a restart", async () => {
    const storage = createMemoryJobStorage();
    const first = openServer(storage);
    const taskId = await first.peer.start("greet");
    await first.peer.until(taskId, "input_required");
    await first.close();
    const second = openServer(storage);
    expect((await second.peer.request("tasks/get", { taskId })).result).toMatchObject({
      status: "input_required",
    });
    await second.peer.request("tasks/update", { taskId, inputResponses: { question_1: answerAnn } });
    expect(await second.peer.until(taskId, "completed")).toMatchObject({
      result: { structuredContent: { data: { greeting: "Hello, Ann!" } } },
    });
  });

  it("runs again after a crash if its action is idempotent", async () => {
    const storage = createMemoryJobStorage();
    const killed = breakable(storage);
    const first = openServer(killed);
    const taskId = await first.peer.start("count", { steps: 20, stepMs: 5 });
    killed.break();
    closing.pop();
    const second = openServer(storage);
    expect(await second.peer.until(taskId, "completed", "failed")).toMatchObject({
      status: "completed",
      result: { structuredContent: { success: true, data: { counted: 20 } } },
    });
    expect(await storage.read(taskId)).toMatchObject({ runs: 2, token: 2 });
  });

  it("fails after a crash if its action must not run twice", async () => {
    const storage = createMemoryJobStorage();
    const killed = breakable(storage);
    const first = openServer(killed);
    const taskId = await first.peer.start("hang");
    killed.break();
    closing.pop();
    const second = openServer(storage);
    expect(await second.peer.until(taskId, "completed", "failed")).toMatchObject({
      status: "failed",
      statusMessage: "Cannot finish the job of hang: its process ended, and it must not run twice",
      error: {
        code: -32_603,
        data: { success: false, data: { error_code: "JOB_INTERRUPTED", details: { tool: "hang", runs: 1 } } },
      },
    });
  });

  it("passes to the next server when its server closes", async () => {
    const storage = createMemoryJobStorage();
    const first = openServer(storage, { limits: { leaseMs: 60_000 } });
    const taskId = await first.peer.start("count", { steps: 30, stepMs: 5 });
    await first.close();
    expect(await storage.read(taskId)).not.toHaveProperty("lease");
    const second = openServer(storage);
    expect(await second.peer.until(taskId, "completed")).toMatchObject({ status: "completed" });
  });

  it("asks nothing that its client cannot answer", async () => {
    const { app } = openServer();
    const { elicitation: _elicitation, ...without } = offersAll;
    const peer = createTaskPeer(app, undefined, without);
    const taskId = await peer.start("greet");
    expect(await peer.until(taskId, "completed", "input_required")).toMatchObject({
      status: "completed",
      result: { isError: true, structuredContent: { data: { error_code: "NOT_IMPLEMENTED" } } },
    });
  });

  it("is not started above the limit: the call is answered at once, with a warning", async () => {
    const { peer } = openServer(undefined, { limits: { running: 1 } });
    await peer.start("hang");
    const { result } = await peer.request("tools/call", { name: "count", arguments: { steps: 1 } });
    const limit = "Cannot start a job: this principal has reached the limit of 1 running jobs";
    expect(result).toMatchObject({
      resultType: "complete",
      structuredContent: {
        success: true,
        data: { counted: 1 },
        meta: { warnings: [`${limit}; the call was answered at once instead`, "counted slowly"] },
      },
    });
    const refused = await peer.request("tools/call", { name: "only", arguments: {} });
    expect(refused.result).toMatchObject({
      isError: true,
      structuredContent: { error: limit, data: { error_code: "RESOURCE_EXHAUSTED" } },
    });
  });

  it("repeats its questions in a run after a restart, and never reuses a key", async () => {
    const storage = createMemoryJobStorage();
    let runs = 0;
    const changing = defineTool({
      name: "changing",
      version: "1.0.0",
      description: "Asks another question in every run",
      resumable: true,
      task: "optional",
      run: async (_input, { elicit }) => {
        runs += 1;
        const schema = z.object({ name: z.string() });
        const first = await elicit({ message: "always the same", schema });
        const second = await elicit({ message: `run ${runs}`, schema });
        return { first, second };
      },
    });
    const first = openServer(storage, { tools: [changing] });
    const taskId = await first.peer.start("changing");
    await first.peer.until(taskId, "input_required");
    await first.peer.request("tasks/update", { taskId, inputResponses: { question_1: answerAnn } });
    let asked: Readonly<Record<string, unknown>> = {};
    while (!("question_2" in asked)) {
      asked = (await first.peer.until(taskId, "input_required"))["inputRequests"] as typeof asked;
    }
    await first.close();
    const second = openServer(storage, { tools: [changing] });
    await second.peer.request("tasks/update", { taskId, inputResponses: { question_2: answerAnn } });
    const again = await second.peer.until(taskId, "input_required");
    expect(again["inputRequests"]).toMatchObject({ question_2_run_2: { params: { message: "run 2" } } });
    await second.peer.request("tasks/update", { taskId, inputResponses: { question_2_run_2: answerAnn } });
    expect(await second.peer.until(taskId, "completed")).toMatchObject({
      result: { structuredContent: { data: { first: answerAnn, second: answerAnn } } },
    });
  });
});

describe("a server without jobs", () => {
  it("has no methods for tasks, and answers at once", async () => {
    const registry = createRegistry({ name: "none", version: "1.0.0", tools: taskTools });
    const app = createHttpApp(registry, { logger: silentLogger });
    closing.push(() => app.close());
    const peer = createTaskPeer(app);
    expect((await peer.request("tasks/get", { taskId: "x" })).error?.code).toBe(-32_601);
    const { result } = await peer.request("tools/call", { name: "only", arguments: {} });
    expect(result).toMatchObject({ resultType: "complete", structuredContent: { data: { done: true } } });
    expect(registry.definitions.filter((tool) => "execution" in tool)).toEqual([]);
  });
});

describe("the definitions", () => {
  it("tell which tools run as tasks", () => {
    const jobs = createJobStore(createMemoryJobStorage());
    const registry = createRegistry({ name: "tasks", version: "1.0.0", tools: taskTools, jobs });
    const supports = registry.definitions.map(({ name, execution }) => [name, execution?.taskSupport]);
    expect(Object.fromEntries(supports)).toEqual({
      count: "optional",
      greet: "optional",
      lose: "optional",
      only: "required",
      mixed: "optional",
      plain: undefined,
      hang: "optional",
      server: undefined,
    });
  });
});
