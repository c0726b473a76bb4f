import type { Envelope } from "@foundry-mcp/contract";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { connectSdk, type SdkClient, sdkNames } from "../toolkit/sdk-clients.ts";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { connectTaskClient, type TaskClient, taskClientNames } from "./task-clients.ts";
import { createTaskRegistry } from "./task-tools.ts";

const registry = createTaskRegistry({
  jobs: createMemoryJobs({ limits: { pollIntervalMs: 20 } }),
  logger: silentLogger,
});
let http: RunningHttpServer;
beforeAll(async () => {
  http = await serveHttp(registry, { port: 0, logger: silentLogger });
});
afterAll(() => http.close());

const requestId = "task-call_1";
const invalid = { name: "count", arguments: { steps: -1 } };
const calls = [
  { name: "count", arguments: { steps: 4 } },
  { name: "lose", arguments: {} },
  { name: "plain", arguments: {} },
  { name: "mixed", arguments: { action: "slow" } },
] as const;

/** Returns the envelope without its duration. */
function settle(envelope: unknown): Envelope {
  const { meta, ...rest } = envelope as Envelope;
  return { ...rest, meta: { ...meta, telemetry: { duration_ms: 0 } } } as Envelope;
}
const expectedOf = async (name: string, args: object) =>
  settle(
    await registry.call(name, args, {
      requestId,
      asker: async () => ({ action: "accept", content: { name: "Ann" } }),
    }),
  );
const toCall = (name: string, args: object) => ({
  name,
  arguments: { ...args },
  _meta: { "foundry-mcp/request_id": requestId },
});

describe.each(["stdio", "http"] as const)("tasks over %s", (surface) => {
  const place = () => (surface === "stdio" ? undefined : `${http.url}/mcp`);

  describe.each(taskClientNames)("%s", (name) => {
    let client: TaskClient;
    beforeAll(async () => {
      client = await connectTaskClient(name, place());
    });
    afterAll(() => client.close());

    it.each(calls)(
      "gets the envelope of $name $arguments in the end",
      async ({ name: tool, arguments: args }) => {
        const { envelope } = await client.follow(toCall(tool, args));
        expect(settle(envelope)).toEqual(await expectedOf(tool, args));
      },
    );

    it("follows a task through its states", async () => {
      const { states } = await client.follow(toCall("count", { steps: 4, stepMs: 30 }));
      expect([...new Set(states)]).toEqual(["working", "completed"]);
    });

    // In protocol version 2025-11-25, clients receive questions while they wait in tasks/result. ext-tasks 0.2.2 does
    // not wait there.
    if (name !== "SDK 2 with ext-tasks, 2025") {
      it("answers the question of a task", async () => {
        const { envelope, states } = await client.follow(toCall("greet", {}));
        expect(settle(envelope)).toEqual(await expectedOf("greet", {}));
        expect(states).toContain("input_required");
      });
    }

    it("gets the envelope of a call that is refused before there is a task", async () => {
      const call = client.follow(toCall(invalid.name, invalid.arguments));
      const expected = await expectedOf(invalid.name, invalid.arguments);
      if (name.endsWith("2026")) expect(settle((await call).envelope)).toEqual(expected);
      else {
        const { code, data } = await call.then(
          () => ({ code: 0, data: undefined }),
          (error) => error,
        );
        expect({ code, envelope: settle(data) }).toEqual({ code: -32_602, envelope: expected });
      }
    });

    it("calls a tool that runs only as a task", async () => {
      const { envelope } = await client.follow(toCall("only", {}));
      expect(settle(envelope)).toEqual(await expectedOf("only", {}));
    });
  });

  describe.each(sdkNames)("%s without tasks", (name) => {
    let client: SdkClient;
    beforeAll(async () => {
      const script = "../tasks/task-stdio";
      client = await connectSdk(name, surface === "stdio" ? { script } : { url: `${http.url}/mcp` });
    });
    afterAll(() => client.close());

    it.each([...calls, invalid])(
      "waits for the envelope of $name $arguments",
      async ({ name: tool, arguments: args }) => {
        const { structuredContent } = await client.callTool(toCall(tool, args));
        expect(settle(structuredContent)).toEqual(await expectedOf(tool, args));
      },
    );

    it("refuses a tool that runs only as a task", async () => {
      await expect(client.callTool(toCall("only", {}))).rejects.toMatchObject({
        code: name === "SDK 2 modern" ? -32_021 : expect.any(Number),
      });
    });
  });
});
