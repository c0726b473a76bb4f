import { type ChildProcess, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { mkdir, readdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "@foundry-mcp/contract";
import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import { callCli, cliScript, openHttpServer, openStdioServer, plainEnv } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { startFakeSearch } from "./fake-search.ts";
import { hasTerminal, runInTerminal } from "./in-terminal.ts";
import { openRunFiles, type RunFiles } from "./run-files.ts";
import { sampleQuestion, writeSample } from "./sample-folder.ts";

// A research run that was interrupted in any way can be resumed. Its report is the same as without the interruption.

/** The number of large documents. It is so high that reading them takes a few seconds. */
const count = 36;
const sentences = 1_800;

let place: TestWorkspace;
let runs: RunFiles;
/** The report of an uninterrupted run, without its id. */
let expected: object;
const children = new Set<ChildProcess>();

const cli = (...argv: string[]) => callCli(["research", ...argv], { cwd: place.folder });
const start = ["research", "start", sampleQuestion, "docs"];

beforeAll(async () => {
  place = await createWorkspace();
  runs = openRunFiles(place.folder);
  await mkdir(join(place.folder, "docs"));
  await writeSample(join(place.folder, "docs"), { count, sentences });
  const { data } = await callCli(start, { cwd: place.folder });
  expect(data).toMatchObject({ state: "completed", progress: { total: count, done: count } });
  expected = await reportOf(String(data["research_id"]));
});
afterEach(() => {
  for (const child of children) child.kill("SIGKILL");
});
afterAll(() => place.remove());

async function reportOf(id: string): Promise<object> {
  const { data } = await cli("report", id);
  const { research_id, ...report } = data;
  expect(research_id).toBe(id);
  return report;
}

/** Starts `foundry-cli` in a process that can be killed at any time. */
function startCli(argv: readonly string[]) {
  const child = spawn(process.execPath, [cliScript, ...argv], {
    cwd: place.folder,
    env: plainEnv(place.folder),
    stdio: ["ignore", "pipe", "pipe"],
  });
  children.add(child);
  let [stdout, stderr] = ["", ""];
  child.stdout.on("data", (chunk: Buffer) => {
    stdout += chunk.toString();
  });
  child.stderr.on("data", (chunk: Buffer) => {
    stderr += chunk.toString();
  });
  const ended = once(child, "close").then(([code]) => {
    children.delete(child);
    return { code: code as number | null, stdout, stderr };
  });
  return { child, ended };
}

/** Checks the output of an interrupted command, and that its research run can be resumed. */
async function expectInterrupted(code: number | null, stdout: string, id: string): Promise<void> {
  expect(code).toBe(130);
  expect(stdout.endsWith("\n") && stdout.split("\n").length).toBe(2);
  const envelope = JSON.parse(stdout) as Envelope;
  expect(envelope).toMatchObject({
    success: false,
    error: `The research ${id} was interrupted; what is done is kept`,
    data: {
      error_code: "CANCELLED",
      remediation: `Resume it: foundry-cli research resume ${id}.`,
      details: { research_id: id },
    },
  });
  const { data } = await cli("status", id);
  expect(data).toMatchObject({ state: "interrupted", progress: { total: count } });
  const { done } = data["progress"] as { done: number };
  expect(done).toBeGreaterThan(0);
  expect(done).toBeLessThan(count);
}

async function expectResumed(id: string): Promise<void> {
  const { data } = await cli("resume", id);
  expect(data).toMatchObject({
    research_id: id,
    state: "completed",
    progress: { total: count, done: count },
  });
  expect(await reportOf(id)).toEqual(expected);
}

it("A command that is killed ten times ends with the same report as an uninterrupted one", async () => {
  const known = await runs.ids();
  let run = startCli(start);
  const id = await runs.untilBegun(known);
  const told: number[] = [];
  for (let kills = 0; kills < 10; kills++) {
    // The interrupt is at any time from before the first source to the middle of a document. It is never so late that
    // the run would complete.
    const before = await runs.done(id);
    const more = Math.floor(Math.random() * 5);
    if (before + more < count - 12) await runs.untilDone(id, before + more);
    await pause(Math.random() * 30);
    run.child.kill("SIGKILL");
    expect((await run.ended).code).toBe(null);
    told.push(await runs.done(id));
    if (kills < 9) run = startCli(["research", "resume", id]);
  }
  expect((await cli("status", id)).data).toMatchObject({ state: "interrupted" });
  process.stdout.write(`killed with ${told.join(", ")} of ${count} sources done\n`);
  await expectResumed(id);
  expect((await readdir(join(runs.folder, id))).sort()).toEqual([
    "digests.jsonl",
    "report.json",
    "run.json",
    "sources.json",
  ]);
  const again = await cli("resume", id);
  expect(again).toMatchObject({ success: false, data: { error_code: "INVALID_STATE" } });
});

describe("a command that is interrupted", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "by %s prints how to resume, and can be resumed",
    async (signal) => {
      const known = await runs.ids();
      const run = startCli(start);
      const id = await runs.untilBegun(known);
      await runs.untilDone(id, 2);
      run.child.kill(signal);
      const { code, stdout, stderr } = await run.ended;
      expect(stderr).toBe("");
      await expectInterrupted(code, stdout, id);
      await expectResumed(id);
    },
  );

  it.skipIf(!hasTerminal)("by Ctrl-C in a terminal clears its line, and can be resumed", async () => {
    const known = await runs.ids();
    const run = runInTerminal(start, place.folder);
    const id = await runs.untilBegun(known);
    await run.until(/ [2-9]\/36 \(/);
    run.press("\u0003");
    const { code, stdout, shown } = await run.ended;
    expect(shown.endsWith("\r\u001b[2K")).toBe(true);
    await expectInterrupted(code, stdout, id);
    await expectResumed(id);
  });
});

describe("a research that a server runs", () => {
  async function open(env: Readonly<Record<string, string>> = {}): Promise<Served> {
    const server = await openHttpServer(place.folder, ["--tools", "all"], env);
    const connection = await connect(server.url);
    onTestFinished(async () => {
      await connection.close();
      await server.close();
    });
    return { connection, server };
  }
  interface Served {
    readonly connection: Connection;
    readonly server: Awaited<ReturnType<typeof openHttpServer>>;
  }
  const begin = async ({ connection }: Served, ...more: object[]) => {
    const { data } = await connection.callTool("research", {
      action: "start",
      question: sampleQuestion,
      sources: [{ path: "docs" }, ...more],
      background: true,
    });
    expect(data).toMatchObject({ state: "running" });
    return String(data["research_id"]);
  };

  it("can be resumed by another server after its server ended", async () => {
    const first = await open();
    const id = await begin(first);
    await runs.untilDone(id, 2);
    const ended = once(first.server.child, "exit");
    first.server.child.kill("SIGTERM");
    expect(await ended).toEqual([0, null]);
    expect((await cli("status", id)).data).toMatchObject({ state: "interrupted" });
    const second = await open();
    const { data } = await second.connection.callTool("research", { action: "resume", research_id: id });
    expect(data).toMatchObject({ state: "completed", progress: { total: count, done: count } });
    expect(await reportOf(id)).toEqual(expected);
  });

  it("cannot be resumed by another process until it is cancelled, by any process", async () => {
    // The run lasts until the fake server answers the search.
    const answered = new EventEmitter();
    const search = await startFakeSearch(() => once(answered, "answer").then(() => []));
    onTestFinished(() => search.close());
    const served = await open({ FOUNDRY_SEARCH_URL: search.url });
    const id = await begin(served, { search: "web" });
    while (search.requests.length === 0) await pause(2);
    expect(await cli("resume", id)).toMatchObject({
      success: false,
      error: expect.stringMatching(
        new RegExp(`^Cannot resume "${id}": process ${served.server.child.pid} on ".+" runs it$`),
      ),
      data: { error_code: "RESOURCE_BUSY", details: { research_id: id, state: "running" } },
    });
    expect(await cli("delete", id, "--confirm")).toMatchObject({
      success: false,
      error: `Cannot delete "${id}": it is running`,
      data: { error_code: "INVALID_STATE" },
    });
    expect((await cli("report", id)).data).toMatchObject({ error_code: "INVALID_STATE" });
    expect((await cli("cancel", id)).data).toMatchObject({ state: "running", is_stopping: true });
    answered.emit("answer");
    const state = async () =>
      (await served.connection.callTool("research", { action: "status", research_id: id })).data["state"];
    while ((await state()) === "running") await pause(10);
    expect(await state()).toBe("cancelled");
    expect(await runs.done(id)).toBe(0);
    await expectResumed(id);
    expect((await cli("delete", id, "--confirm")).data).toEqual({ research_id: id, deleted: true });
    expect((await cli("status", id)).data).toMatchObject({ error_code: "NOT_FOUND" });
  });

  it("completes for every agent when many start at the same time", async () => {
    await mkdir(join(place.folder, "few"));
    await writeSample(join(place.folder, "few"), { count: 8 });
    const { connection } = await open();
    const stdio = await openStdioServer(place.folder);
    onTestFinished(() => stdio.close());
    const args = { action: "start", question: sampleQuestion, sources: [{ path: "few" }] };
    const answers = await Promise.all([
      ...[connection, connection, connection, stdio, stdio].map((each) => each.callTool("research", args)),
      ...[1, 2, 3].map(() => cli("start", sampleQuestion, "few")),
    ]);
    const ids = answers.map(({ data }) => String(data["research_id"]));
    expect(answers.map(({ data }) => data["state"])).toEqual(ids.map(() => "completed"));
    expect(new Set(ids).size).toBe(8);
    const [first, ...others] = await Promise.all(ids.map(reportOf));
    for (const other of others) expect(other).toEqual(first);
    const { data } = await cli("list");
    const listed = (data["researches"] as { research_id: string }[]).map(({ research_id }) => research_id);
    expect(listed).toEqual(expect.arrayContaining(ids));
  });
});
