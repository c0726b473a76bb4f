import { spawn } from "node:child_process";
import { once } from "node:events";
import { connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { cliScript, plainEnv, serverScript } from "../specs/programs.ts";
import { specOf } from "../specs/workspace.ts";
import { settle } from "./call-tool.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

describeConcurrent("a program that listens to a database", () => {
  let database: TestDatabase;
  let workspace: DatabaseWorkspace;
  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await openDatabaseWorkspace(database.url);
    await workspace.add(specOf("one"));
  });
  afterAll(async () => {
    await workspace.close();
    await database.close();
  });

  const start = (script: string, ...args: readonly string[]) =>
    spawn(process.execPath, [script, ...args], { cwd: workspace.folder, env: plainEnv(workspace.folder) });

  it("ends as a server when it is told to, and answers before what it was asked", async () => {
    const { child, url } = turnOf(await workspace.openServers(1), 0);
    const connection = await connect(url);
    const asked = { action: "wait", spec_id: "one", for: "change", timeout_seconds: 2 };
    // As a job, the wait would be left to the next server.
    const waiting = connection.callTool("task", asked, { task: "never" });
    await settle([connection]);
    const ended = once(child, "exit");
    child.kill("SIGTERM");
    expect((await waiting).data).toMatchObject({ spec_id: "one", timed_out: true });
    await connection.close();
    expect(await ended).toEqual([0, null]);
  });

  it("ends as a server over stdio when nobody speaks to it any more", async () => {
    const child = start(serverScript);
    const ended = once(child, "exit");
    const params = {
      ...{ protocolVersion: "2025-06-18", capabilities: {}, clientInfo: { name: "c", version: "1" } },
    };
    child.stdin.write(`${JSON.stringify({ jsonrpc: "2.0", id: 1, method: "initialize", params })}\n`);
    await once(child.stdout, "data");
    child.stdin.end();
    expect(await ended).toEqual([0, null]);
  });

  it("goes on as a live view until it has told what another program did", async () => {
    const child = start(cliScript, "watch", "--count", "1");
    const ended = once(child, "close");
    let written = "";
    child.stdout.on("data", (text: Buffer) => {
      written += text.toString();
    });
    expect(String(await once(child.stderr, "data"))).toContain("Watching");
    const { data } = await workspace.cli("tasks", "complete", "one", "task-1-1");
    expect(await ended).toEqual([0, null]);
    expect(JSON.parse(written)).toMatchObject({ spec_id: "one", revision: data["revision"] });
  });
});
