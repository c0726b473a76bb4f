import { connect } from "@foundry-mcp/toolkit/client";
import { type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import { createMemoryJobs } from "@foundry-mcp/toolkit/jobs";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { silentLogger } from "../toolkit/silent-logger.ts";
import { createTaskRegistry } from "./task-tools.ts";

let server: RunningHttpServer;
let url: string;
const open: { close(): Promise<void> }[] = [];
beforeAll(async () => {
  const registry = createTaskRegistry({ jobs: createMemoryJobs({ limits: { pollIntervalMs: 20 } }) });
  server = await serveHttp(registry, { port: 0, host: "127.0.0.1", logger: silentLogger });
  url = `${server.url}/mcp`;
});
afterEach(async () => {
  for (const each of open.splice(0)) await each.close();
});
afterAll(() => server.close());
const onElicit = () => ({ action: "accept" as const, content: { name: "Ann" } });
const protocols = ["2026-07-28", "legacy"] as const;
const open1 = async (protocol: (typeof protocols)[number]) => {
  const connection = await connect(url, { protocol, onElicit });
  open.push(connection);
  return connection;
};

describe.each(protocols)("connect() with protocol version %s", (protocol) => {
  it("follows a call that becomes a task to its end, and gets the same envelope without a task", async () => {
    const connection = await open1(protocol);
    const followed = await connection.callTool("count", { steps: 3 });
    const waited = await connection.callTool("count", { steps: 3 }, { task: "never" });
    const contents = ({ success, data, error, meta }: typeof followed) => [
      success,
      data,
      error,
      meta.warnings,
    ];
    expect(contents(followed)).toEqual([true, { counted: 3 }, null, ["counted slowly"]]);
    expect(contents(waited)).toEqual(contents(followed));
  });

  it("calls a tool that runs only as a task", async () => {
    const connection = await open1(protocol);
    expect(await connection.callTool("only")).toMatchObject({ success: true, data: { done: true } });
  });

  it("answers the questions of a task, and returns its failure", async () => {
    const connection = await open1(protocol);
    expect(await connection.callTool("greet")).toMatchObject({ data: { greeting: "Hello, Ann!" } });
    expect(await connection.callTool("lose")).toMatchObject({
      success: false,
      data: { error_code: "NOT_FOUND" },
    });
  });
});

describe("a task", () => {
  it("is handed out, reports progress, and is followed by another connection", async () => {
    const first = await open1("2026-07-28");
    const messages: unknown[] = [];
    let handle: { taskId: string } | undefined;
    const options = {
      onProgress: ({ message }: { message?: string | undefined }) => messages.push(message),
      onTask: (task: { taskId: string }) => {
        handle = task;
      },
    };
    const { success } = await first.callTool("count", { steps: 8, stepMs: 60 }, options);
    await first.close();
    expect([success, handle, messages.length > 1]).toEqual([true, { taskId: expect.any(String) }, true]);
    const second = await open1("legacy");
    expect(await second.followTask(handle ?? { taskId: "" })).toMatchObject({ data: { counted: 8 } });
    expect(await second.followTask({ taskId: `job_${"0".repeat(32)}` })).toMatchObject({
      success: false,
      data: { error_code: "JOB_NOT_FOUND" },
    });
  });

  it("is cancelled with its call", async () => {
    const connection = await open1("2026-07-28");
    const cancel = new AbortController();
    let handle: { taskId: string } | undefined;
    const onTask = (task: { taskId: string }) => {
      handle = task;
      cancel.abort();
    };
    const { data } = await connection.callTool("hang", {}, { signal: cancel.signal, onTask });
    expect(data).toMatchObject({ error_code: "CANCELLED" });
    expect(await connection.followTask(handle ?? { taskId: "" })).toMatchObject({
      data: { error_code: "CANCELLED" },
    });
  });
});
