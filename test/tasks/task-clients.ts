import { fileURLToPath } from "node:url";
import {
  Client as Client2,
  StreamableHTTPClientTransport as Http2,
  type Transport,
} from "@modelcontextprotocol/client";
import { StdioClientTransport as Stdio2 } from "@modelcontextprotocol/client/stdio";
import { createTaskSessionFromClient, resultFromTaskOutcome } from "@modelcontextprotocol/ext-tasks/client";
import { Client as Client1 } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport as Stdio1 } from "@modelcontextprotocol/sdk/client/stdio.js";
import { StreamableHTTPClientTransport as Http1 } from "@modelcontextprotocol/sdk/client/streamableHttp.js";
import { ElicitRequestSchema } from "@modelcontextprotocol/sdk/types.js";
import { withRawDispatch } from "./raw-transport.ts";

/** The clients that follow tasks. */
export const taskClientNames = ["SDK 2 with ext-tasks, 2026", "SDK 2 with ext-tasks, 2025", "SDK 1"] as const;

export type TaskClientName = (typeof taskClientNames)[number];

/** The URL of a server, or undefined for a child process over stdio. */
export type Place = string | undefined;

/** A tool call, with the names that both SDKs use for its parts. */
export interface TaskCall {
  readonly name: string;
  readonly arguments: Record<string, unknown>;
  readonly _meta: Record<string, string>;
}

/** The end of a call, and the states of its task. There are no states if the call was answered at once. */
export interface Followed {
  readonly envelope: unknown;
  readonly states: readonly string[];
}

/** A client that follows tasks to their end and answers every question with the name Ann. */
export interface TaskClient {
  follow(call: TaskCall): Promise<Followed>;
  close(): Promise<void>;
}

const answer = { action: "accept" as const, content: { name: "Ann" } };
const script = fileURLToPath(new URL("../../.build/test/tasks/task-stdio.js", import.meta.url));
const command = { command: process.execPath, args: [script], stderr: "ignore" as const };

/** Connects a client. */
export function connectTaskClient(name: TaskClientName, place: Place): Promise<TaskClient> {
  if (name === "SDK 1") return connectSdk1(place);
  return name.endsWith("2026") ? connectModern(place) : connectLegacy(place);
}

async function connectSdk1(place: Place): Promise<TaskClient> {
  const capabilities = { elicitation: {}, tasks: { requests: {} } };
  const client = new Client1({ name: "tasks-sdk-1", version: "1.0.0" }, { capabilities });
  client.setRequestHandler(ElicitRequestSchema, () => answer);
  const transport = place === undefined ? new Stdio1(command) : new Http1(new URL(place));
  await client.connect(transport as Parameters<Client1["connect"]>[0]);
  await client.listTools();
  return {
    async follow(call) {
      const states: string[] = [];
      for await (const message of client.experimental.tasks.callToolStream({ ...call })) {
        if (message.type === "taskCreated" || message.type === "taskStatus") states.push(message.task.status);
        else if (message.type === "result") return { envelope: message.result.structuredContent, states };
        else throw message.error;
      }
      throw new Error("The stream ended without a result");
    },
    close: () => client.close(),
  };
}

function open2(place: Place): Transport {
  return place === undefined ? new Stdio2(command) : new Http2(new URL(place));
}

async function connectLegacy(place: Place): Promise<TaskClient> {
  const client = new Client2(
    { name: "tasks-sdk-2", version: "2.0.0" },
    { capabilities: { elicitation: { form: {} } } },
  );
  await client.connect(open2(place));
  const { tools } = await client.listTools();
  const session = createTaskSessionFromClient(client, {
    endpointId: "legacy",
    onInputRequest: async () => answer as never,
  });
  return {
    async follow({ name, arguments: args, _meta: metadata }) {
      const tool = tools.find((known) => known.name === name);
      const taskSupport = tool?.execution?.taskSupport;
      const declaration = {
        name,
        inputSchema: {},
        ...(taskSupport === undefined ? {} : { taskSupport }),
      };
      const task = { preference: taskSupport === undefined ? "forbid" : "prefer" } as const;
      return settle(await session.callTool(name, args as never, { metadata, declaration, task }));
    },
    async close() {
      await session.close();
      await client.close();
    },
  };
}

async function connectModern(place: Place): Promise<TaskClient> {
  const clientInfo = { name: "tasks-sdk-2", version: "2.0.0" };
  const clientCapabilities = {
    elicitation: { form: {} },
    extensions: { "io.modelcontextprotocol/tasks": {} },
  };
  const client = new Client2(clientInfo, {
    capabilities: clientCapabilities,
    versionNegotiation: { mode: { pin: "2026-07-28" } },
  });
  const transport = withRawDispatch(open2(place));
  await client.connect(transport);
  await client.listTools();
  const session = createTaskSessionFromClient(client, {
    endpointId: "modern",
    rawDispatch: transport.dispatch,
    v2RequestFraming: { protocolVersion: "2026-07-28", clientInfo, clientCapabilities },
    onInputRequest: async () => answer as never,
  });
  return {
    follow: async ({ name, arguments: args, _meta: metadata }) =>
      settle(await session.callTool(name, args as never, { metadata })),
    async close() {
      await session.close();
      await client.close();
    },
  };
}

type Execution = Awaited<ReturnType<ReturnType<typeof createTaskSessionFromClient>["callTool"]>>;

async function settle(execution: Execution): Promise<Followed> {
  const states: string[] = [];
  const { outcome } = await execution.settle({
    onEvent(event) {
      if (event.type === "task") states.push(event.task.status);
    },
  });
  const result = resultFromTaskOutcome(outcome) as { readonly structuredContent?: unknown };
  return { envelope: result.structuredContent, states };
}
