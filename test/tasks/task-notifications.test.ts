import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { createHttpApp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs, type JobStore } from "@foundry-mcp/toolkit/jobs";
import { afterEach, expect, it } from "vitest";
import { compiledScript } from "../toolkit/sdk-clients.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createTaskPeer, offersAll } from "./task-peer.ts";
import { createTaskRegistry } from "./task-tools.ts";

interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: Readonly<Record<string, unknown>>;
  readonly result?: Readonly<Record<string, unknown>>;
}

/** A client of 2026-07-28 that starts tasks, and listens to notifications. */
interface Listener {
  start(tool: string, args: object): Promise<string>;
  /** Sends `subscriptions/listen` with id 7. Returns the messages that follow, as they arrive. */
  listen(notifications: object, capabilities?: object): Promise<AsyncIterator<Message>>;
  close(): Promise<unknown>;
}

const subscriptionId = 7;
const meta = (capabilities: object) => ({
  "io.modelcontextprotocol/protocolVersion": "2026-07-28",
  "io.modelcontextprotocol/clientInfo": { name: "listener", version: "1.0.0" },
  "io.modelcontextprotocol/clientCapabilities": capabilities,
});
const toRequest = (id: number, method: string, params: object, capabilities: object = offersAll) => ({
  jsonrpc: "2.0",
  id,
  method,
  params: { ...params, _meta: meta(capabilities) },
});

async function openHttp(change = (store: JobStore) => store): Promise<Listener> {
  const jobs = change(createMemoryJobs({ limits: { pollIntervalMs: 20 } }));
  const app = createHttpApp(createTaskRegistry({ jobs, logger: silentLogger }), { logger: silentLogger });
  return {
    start: (tool, args) => createTaskPeer(app).start(tool, args),
    async listen(notifications, capabilities) {
      const method = "subscriptions/listen";
      const response = await app.fetch(
        new Request("http://localhost/mcp", {
          method: "POST",
          headers: {
            host: "localhost",
            "content-type": "application/json",
            accept: "application/json, text/event-stream",
            "mcp-protocol-version": "2026-07-28",
            "mcp-method": method,
          },
          body: JSON.stringify(toRequest(subscriptionId, method, { notifications }, capabilities)),
        }),
      );
      return readEvents(response);
    },
    close: () => app.close(),
  };
}

async function* readEvents({ body }: Response): AsyncGenerator<Message> {
  for await (const chunk of body as unknown as AsyncIterable<Uint8Array>) {
    const data = /^data: (.*)$/m.exec(new TextDecoder().decode(chunk))?.[1];
    if (data !== undefined) yield JSON.parse(data) as Message;
  }
}

async function openStdio(): Promise<Listener> {
  const child: ChildProcess = spawn(process.execPath, [compiledScript("../tasks/task-stdio")], {
    stdio: ["pipe", "pipe", "ignore"],
  });
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]();
  const next = async (): Promise<Message> => JSON.parse((await lines.next()).value as string) as Message;
  const send = (message: object) => child.stdin?.write(`${JSON.stringify(message)}\n`);
  return {
    async start(tool, args) {
      send(toRequest(1, "tools/call", { name: tool, arguments: args }));
      return String((await next()).result?.["taskId"]);
    },
    async listen(notifications, capabilities) {
      send(toRequest(subscriptionId, "subscriptions/listen", { notifications }, capabilities));
      return { next: async () => ({ done: false, value: await next() }) };
    },
    close() {
      child.stdin?.end();
      return once(child, "exit");
    },
  };
}

const closing: (() => Promise<unknown>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0)) await close();
});
const surfaces = [
  ["HTTP", () => openHttp()],
  ["stdio", openStdio],
] as const;
async function open(create: () => Promise<Listener>): Promise<Listener> {
  const listener = await create();
  closing.push(listener.close);
  return listener;
}

const stamp = { _meta: { "io.modelcontextprotocol/subscriptionId": subscriptionId } };

it.each(surfaces)("a client over %s is told of each change of its task until the end", async (_, create) => {
  const client = await open(create);
  const taskId = await client.start("count", { steps: 3, stepMs: 300 });
  const messages = await client.listen({ taskIds: [taskId, "job_unknown"] });
  expect((await messages.next()).value).toMatchObject({
    method: "notifications/subscriptions/acknowledged",
    params: { notifications: { taskIds: [taskId] }, ...stamp },
  });
  const states: unknown[] = [];
  let last: Message["params"];
  do {
    const { method, params } = (await messages.next()).value as Message;
    expect([method, params?.["taskId"], params?.["_meta"]]).toEqual([
      "notifications/tasks",
      taskId,
      stamp._meta,
    ]);
    states.push(params?.["statusMessage"]);
    last = params;
  } while (last?.["status"] === "working");
  expect(new Set(states).size).toBeGreaterThan(1);
  expect(last).toMatchObject({
    status: "completed",
    ttlMs: 86_400_000,
    pollIntervalMs: 20,
    result: { resultType: "complete", structuredContent: { data: { counted: 3 } } },
  });
});

it.each(surfaces)("a client over %s is told of a question, and of nothing else", async (_, create) => {
  const client = await open(create);
  const taskId = await client.start("greet", {});
  const messages = await client.listen({ taskIds: [taskId] });
  await messages.next();
  let state: Message["params"];
  do state = ((await messages.next()).value as Message).params;
  while (state?.["status"] === "working");
  expect(state).toMatchObject({
    status: "input_required",
    inputRequests: {
      [Object.keys(state?.["inputRequests"] as object)[0] as string]: { method: "elicitation/create" },
    },
  });
});

it("acknowledges no task of a client that does not follow tasks", async () => {
  const client = await open(() => openHttp());
  const taskId = await client.start("count", { steps: 0 });
  const messages = await client.listen({ taskIds: [taskId], toolsListChanged: true }, {});
  expect(((await messages.next()).value as Message).params?.["notifications"]).toEqual({
    toolsListChanged: true,
  });
});

it("goes on after an outage of the store", async () => {
  let reads = 0;
  const client = await open(() =>
    openHttp((store) => ({
      ...store,
      get: async (principal, id) => {
        reads += 1;
        // The first read accepts the task.
        if (reads === 2 || reads === 3) throw new Error("The store is away");
        return store.get(principal, id);
      },
    })),
  );
  const taskId = await client.start("greet", {});
  const messages = await client.listen({ taskIds: [taskId] });
  await messages.next();
  let state: Message["params"];
  do state = ((await messages.next()).value as Message).params;
  while (state?.["status"] !== "input_required");
  expect(reads).toBeGreaterThan(3);
});
