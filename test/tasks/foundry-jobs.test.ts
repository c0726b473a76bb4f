import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import type { Envelope } from "@foundry-mcp/contract";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, plainEnv, serverScript } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { type Answer, offersAll } from "./task-peer.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace();
});
afterEach(() => workspace.remove());

/** The environment of the programs; their jobs are kept below the folder that the test removes. */
const jobsEnv = () => ({ XDG_STATE_HOME: `${workspace.folder}/.state` });
const cli = (...argv: string[]): Promise<Envelope> =>
  callCli(argv, { cwd: workspace.folder, env: jobsEnv() });

interface Program {
  request(method: string, params: object): Promise<Answer>;
  /** Closes stdin, as a client does when it ends; returns the exit code. */
  end(): Promise<number | null>;
}

/** Starts the program foundry-mcp for a client of protocol version 2026-07-28. */
function startProgram(): Program {
  const child = spawn(process.execPath, [serverScript], {
    cwd: workspace.folder,
    env: { ...plainEnv(workspace.folder), ...jobsEnv() },
    stdio: ["pipe", "pipe", "ignore"],
  });
  const waiting = new Map<number, (answer: Answer) => void>();
  createInterface(child.stdout).on("line", (line) => {
    const { id, ...answer } = JSON.parse(line) as Answer & { readonly id: number };
    waiting.get(id)?.(answer);
  });
  const exited = once(child, "exit");
  let lastId = 0;
  return {
    request(method, params) {
      lastId += 1;
      const id = lastId;
      const _meta = {
        "io.modelcontextprotocol/protocolVersion": "2026-07-28",
        "io.modelcontextprotocol/clientInfo": { name: "peer", version: "1.0.0" },
        "io.modelcontextprotocol/clientCapabilities": offersAll,
      };
      child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id, method, params: { ...params, _meta } })}\n`);
      return new Promise((resolve) => waiting.set(id, resolve));
    },
    async end() {
      child.stdin.end();
      const [code] = await exited;
      return code as number | null;
    },
  };
}

const callWait = (timeout_seconds: number) => ({
  name: "task",
  arguments: { action: "wait", timeout_seconds },
});

async function waitForEnd(program: Program, taskId: string): Promise<Answer> {
  for (;;) {
    const answer = await program.request("tasks/get", { taskId });
    if (answer.result?.["status"] !== "working") return answer;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

describe("a job of foundry-mcp", () => {
  it("goes on with the next server, and is shown to people", async () => {
    const first = startProgram();
    const { result } = await first.request("tools/call", callWait(2));
    expect(result).toMatchObject({ resultType: "task", status: "working" });
    const taskId = String(result?.["taskId"]);
    const row = {
      id: taskId,
      tool: "task",
      action: "wait",
      status: "working",
      created_at: result?.["createdAt"],
      expires_at: expect.any(String),
    };
    expect((await cli("jobs", "list")).data).toMatchObject({ jobs: [row] });
    expect(await first.end()).toBe(0);
    const second = startProgram();
    const ended = await waitForEnd(second, taskId);
    expect(ended.result).toMatchObject({
      status: "completed",
      result: { structuredContent: { success: true, data: { ready: false, timed_out: true } } },
    });
    expect((await cli("jobs", "show", taskId)).data).toMatchObject({
      ...row,
      status: "completed",
      runs: 2,
      client: "peer",
      result: { success: true, data: { timed_out: true } },
    });
    const { result: listed } = await second.request("tools/call", {
      name: "server",
      arguments: { action: "jobs" },
    });
    expect(listed).toMatchObject({
      structuredContent: { data: { jobs: [{ ...row, status: "completed" }] } },
    });
    expect(await second.end()).toBe(0);
  });

  it("is cancelled by a person", async () => {
    const program = startProgram();
    const { result } = await program.request("tools/call", callWait(3_000));
    const taskId = String(result?.["taskId"]);
    const cancelled = await cli("jobs", "cancel", taskId);
    expect(cancelled.data).toMatchObject({ id: taskId, status: "cancelled" });
    expect((await waitForEnd(program, taskId)).result).toMatchObject({ status: "cancelled" });
    expect(await program.end()).toBe(0);
  });
});
