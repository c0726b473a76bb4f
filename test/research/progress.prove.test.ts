import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import type { Envelope } from "@foundry-mcp/contract";
import type { Progress } from "@foundry-mcp/toolkit";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type HttpServer, openHttpServer, openStdioServer, runCli } from "../specs/programs.ts";
import { createWorkspace, type TestWorkspace } from "../specs/workspace.ts";
import { connectSdk, sdkNames } from "../toolkit/sdk-clients.ts";
import { hasTerminal, runInTerminal } from "./in-terminal.ts";
import { openRunFiles } from "./run-files.ts";
import { sampleQuestion, writeSample } from "./sample-folder.ts";

const count = 40;
let place: TestWorkspace;
let http: HttpServer;

beforeAll(async () => {
  place = await createWorkspace();
  for (const [name, sentences] of [
    ["docs", 30],
    ["large", 1_500],
  ] as const) {
    await mkdir(join(place.folder, name));
    await writeSample(join(place.folder, name), { count, sentences });
  }
  http = await openHttpServer(place.folder);
});
afterAll(async () => {
  await http.close();
  await place.remove();
});

const commands = [
  ["digest-batch", ["research", "digest-batch", "docs", "--query", sampleQuestion]],
  ["start", ["research", "start", sampleQuestion, "docs"]],
] as const;

describe.skipIf(!hasTerminal)("on a terminal", () => {
  it.each(commands)("%s shows a growing progress bar, and clears it at the end", async (_, argv) => {
    const { code, stdout, shown } = await runInTerminal(argv, place.folder).ended;
    expect(code).toBe(0);
    expect(stdout.endsWith("\n") && stdout.split("\n").length).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({ success: true });

    const lines = shown.split("\r\u001b[2K");
    // No other output is before the first line or after the last line of progress.
    expect([lines[0]?.trim(), lines.at(-1)]).toEqual(["", ""]);
    const bars = lines.slice(1, -1).map((line) => {
      const [, bar = "", done, total, share, name] =
        /^\[([#.]{24})\] (\d+)\/(\d+) \((\d+) %\) (\S.*)$/u.exec(line) ?? [];
      expect(bar, line).toMatch(/^#*\.*$/);
      expect(line.length).toBeLessThan(100);
      const filled = bar.replaceAll(".", "").length;
      return { filled, done: Number(done), total: Number(total), share: Number(share), name };
    });
    expect(bars.map(({ done }) => done)).toEqual(Array.from({ length: count + 1 }, (_each, at) => at));
    for (const { filled, done, total, share } of bars)
      expect([total, share, filled]).toEqual([
        count,
        Math.floor((100 * done) / count),
        Math.floor((24 * done) / count),
      ]);
    const named = bars.slice(1).map(({ name }) => name?.replace(/: \w+$/, "") ?? "");
    expect(new Set(named).size).toBe(count);
    for (const name of named) expect(name).toMatch(/^docs\/(en|zh|ru|ar)\/\d+\.\w+$/);
  });
});

describe("into a pipe", () => {
  it.each(commands)("%s writes its envelope, and nothing else", async (_, argv) => {
    const run = await runCli(argv, { cwd: place.folder });
    expect(run).toMatchObject({ code: 0, stderr: "" });
    expect(run.stdout.split("\n").length).toBe(2);
    expect(JSON.parse(run.stdout)).toMatchObject({ success: true });
  });
});

const calls = [
  ["digest-batch", { action: "digest-batch", query: sampleQuestion, sources: [{ path: "docs" }] }],
  ["start", { action: "start", question: sampleQuestion, sources: [{ path: "docs" }] }],
] as const;

/** Checks that the progress grows to the total, with a message. */
function expectGrown(heard: readonly Progress[]): void {
  expect(heard.length).toBeGreaterThan(count / 2);
  const counts = heard.map(({ progress }) => progress);
  expect(counts).toEqual([...new Set(counts)].sort((a, b) => a - b));
  expect(counts.at(-1)).toBe(count);
  expect(new Set(heard.map(({ total }) => total))).toEqual(new Set([count]));
  for (const { progress, message } of heard)
    if (progress > 0) expect(message).toMatch(/^docs\/(en|zh|ru|ar)\/\d+\.\w+/);
}

/**
 * Checks that the client of a job hears of documents. The client asks for the state of the job now and then, so it counts
 * the states and not the documents.
 */
function expectFollowed(heard: readonly Progress[]): void {
  expect(heard.length).toBeGreaterThan(0);
  expect(heard.map(({ progress }) => progress)).toEqual(heard.map((_, at) => at + 1));
  expect(heard.map(({ message = "" }) => message).join("\n")).toMatch(/^docs\/(en|zh|ru|ar)\/\d+\.\w+/m);
}

describe("over MCP", () => {
  for (const sdk of sdkNames)
    it.each(calls)(`%s sends progress to a client of ${sdk}`, async (_, args) => {
      const client = await connectSdk(sdk, { url: http.url });
      try {
        const heard: Progress[] = [];
        const onprogress = (progress: Progress) => void heard.push(progress);
        const { isError } = await client.callTool(
          { name: "research", arguments: { ...args } },
          { onprogress },
        );
        expect(isError ?? false).toBe(false);
        expectGrown(heard);
      } finally {
        await client.close();
      }
    });

  it.each(calls)("%s sends progress to a client over stdio", async (_, args) => {
    const server = await openStdioServer(place.folder);
    try {
      const heard: Progress[] = [];
      const onProgress = (progress: Progress) => void heard.push(progress);
      expect(await server.callTool("research", args, { onProgress })).toMatchObject({ success: true });
      expectFollowed(heard);
    } finally {
      await server.close();
    }
  });

  it.each(sdkNames)("a run continues when its client disconnects: %s", async (sdk) => {
    const runs = openRunFiles(place.folder);
    const known = await runs.ids();
    const client = await connectSdk(sdk, { url: http.url });
    try {
      const patience = new AbortController();
      const given = client
        .callTool(
          { name: "research", arguments: { ...calls[1][1], sources: [{ path: "large" }] } },
          { signal: patience.signal, onprogress: ({ progress }) => progress >= 1 && patience.abort() },
        )
        .catch((thrown: unknown) => thrown);
      const research_id = await runs.untilBegun(known);
      expect(await given).toBeInstanceOf(Error);
      const status = async () => {
        const { content } = await client.callTool({
          name: "research",
          arguments: { action: "status", research_id },
        });
        return (JSON.parse(content[0]?.text ?? "") as Envelope).data;
      };
      let now = await status();
      expect(now).toMatchObject({ state: "running", progress: { total: count } });
      while (now["state"] === "running") {
        await pause(20);
        now = await status();
      }
      expect(now).toMatchObject({ state: "completed", progress: { total: count, done: count } });
    } finally {
      await client.close();
    }
  });
});
