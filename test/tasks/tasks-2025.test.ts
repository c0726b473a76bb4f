import { createHttpApp, type HttpApp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StreamableHTTPClientTransport } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import {
  CallToolResultSchema,
  ElicitRequestSchema,
  TaskStatusNotificationSchema,
} from "@modelcontextprotocol/sdk/types.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createTaskRegistry } from "./task-tools.ts";

const tokens = ["ann", "bob"].map((principal) => ({ principal, token: `${principal}-0123456789abcdef` }));
let app: HttpApp;
const closing: (() => Promise<void>)[] = [];
beforeEach(() => {
  const jobs = createMemoryJobs({ limits: { pollIntervalMs: 10 } });
  app = createHttpApp(createTaskRegistry({ jobs, logger: silentLogger }), { tokens, logger: silentLogger });
  closing.push(() => app.close());
});
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

/** Connects a client of SDK 1 that answers every question with this name. */
async function connect(principal: string, answer = "Ann"): Promise<Client> {
  const client = new Client({ name: "sdk-1", version: "1.0.0" }, { capabilities: { elicitation: {} } });
  client.setRequestHandler(ElicitRequestSchema, () => ({ action: "accept", content: { name: answer } }));
  const token = tokens.find((grant) => grant.principal === principal)?.token;
  const fetch = (url: string | URL, init?: RequestInit) => {
    const request = new Request(url, init);
    request.headers.set("host", "localhost");
    request.headers.set("authorization", `Bearer ${token}`);
    return Promise.resolve(app.fetch(request));
  };
  const transport = new StreamableHTTPClientTransport(new URL("http://localhost/mcp"), { fetch });
  await client.connect(transport as Parameters<Client["connect"]>[0]);
  closing.push(() => client.close());
  return client;
}

/** Calls a tool as a task; returns the id of the task. */
async function start(client: Client, name: string, args: Record<string, unknown> = {}): Promise<string> {
  const stream = client.experimental.tasks.callToolStream({ name, arguments: args }, undefined, { task: {} });
  for await (const message of stream) {
    if (message.type === "taskCreated") return message.task.taskId;
    if (message.type === "error") throw message.error;
  }
  throw new Error("No task was created");
}

describe("tasks of protocol version 2025-11-25", () => {
  it("are announced in the capabilities and in the definitions", async () => {
    const client = await connect("ann");
    expect(client.getServerCapabilities()?.tasks).toEqual({
      list: {},
      cancel: {},
      requests: { tools: { call: {} } },
    });
    const { tools } = await client.listTools();
    const supports = tools.flatMap(({ name, execution }) =>
      execution ? [[name, execution.taskSupport]] : [],
    );
    expect(Object.fromEntries(supports)).toEqual({
      count: "optional",
      greet: "optional",
      lose: "optional",
      only: "required",
      mixed: "optional",
      hang: "optional",
    });
  });

  it("are listed, read and cancelled by their principal alone", async () => {
    const [ann, bob] = [await connect("ann"), await connect("bob")];
    const taskId = await start(ann, "hang");
    const task = {
      taskId,
      status: "working",
      createdAt: expect.any(String),
      lastUpdatedAt: expect.any(String),
      ttl: 86_400_000,
      pollInterval: 10,
    };
    expect(await ann.experimental.tasks.listTasks()).toMatchObject({ tasks: [task] });
    expect(await bob.experimental.tasks.listTasks()).toMatchObject({ tasks: [] });
    for (const request of [
      bob.experimental.tasks.getTask(taskId),
      bob.experimental.tasks.getTaskResult(taskId, CallToolResultSchema),
      bob.experimental.tasks.cancelTask(taskId),
    ]) {
      await expect(request).rejects.toMatchObject({
        code: -32_602,
        data: { data: { error_code: "JOB_NOT_FOUND" } },
      });
    }
    expect(await ann.experimental.tasks.cancelTask(taskId)).toMatchObject({ taskId, status: "cancelled" });
    await expect(ann.experimental.tasks.cancelTask(taskId)).rejects.toMatchObject({
      code: -32_602,
      data: { data: { error_code: "INVALID_STATE" } },
    });
    await expect(ann.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).rejects.toMatchObject({
      code: -32_603,
      data: { data: { error_code: "CANCELLED" } },
    });
  });

  it("report their states while a client waits for the result", async () => {
    const ann = await connect("ann");
    const states: unknown[] = [];
    ann.setNotificationHandler(TaskStatusNotificationSchema, ({ params }) => {
      states.push([params.taskId, params.status, params.statusMessage]);
    });
    const taskId = await start(ann, "count", { steps: 2, stepMs: 300 });
    await ann.experimental.tasks.getTaskResult(taskId, CallToolResultSchema);
    expect(states).toContainEqual([taskId, "working", "step 1"]);
    expect(new Set(states.map((state) => JSON.stringify(state))).size).toBe(states.length);
  });

  it("ask their questions while a client waits for the result, also a client that came later", async () => {
    const taskId = await start(await connect("ann"), "greet");
    const later = await connect("ann", "Anna");
    expect(await later.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
      _meta: { "io.modelcontextprotocol/related-task": { taskId } },
      structuredContent: { data: { greeting: "Hello, Anna!" } },
    });
  });

  it("are completed with a result that is an error", async () => {
    const client = await connect("ann");
    const taskId = await start(client, "lose");
    expect(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
      isError: true,
      structuredContent: { data: { error_code: "NOT_FOUND" } },
    });
    expect(await client.experimental.tasks.getTask(taskId)).toMatchObject({ status: "completed" });
  });

  it("are refused by a tool without tasks, and required by a tool that needs one", async () => {
    const client = await connect("ann");
    await expect(start(client, "plain")).rejects.toMatchObject({
      code: -32_601,
      data: { data: { error_code: "NOT_IMPLEMENTED" } },
    });
    await expect(client.callTool({ name: "only", arguments: {} })).rejects.toMatchObject({ code: -32_601 });
  });

  it("run every action of a tool with tasks, if the client asks", async () => {
    const client = await connect("ann");
    const taskId = await start(client, "mixed", { action: "quick" });
    expect(await client.experimental.tasks.getTaskResult(taskId, CallToolResultSchema)).toMatchObject({
      structuredContent: { data: { quick: true } },
    });
  });
});
