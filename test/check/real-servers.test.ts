import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { CheckReport } from "foundry-mcp/check";
import { afterAll, describe, expect, it, vi } from "vitest";
import { reportOf, runFoundryCli } from "./run-check-cli.ts";

const folder = mkdtempSync(join(tmpdir(), "foundry-real-"));
afterAll(() => rmSync(folder, { recursive: true }));

const pathOf = (name: string) =>
  fileURLToPath(
    new URL(`../../node_modules/@modelcontextprotocol/server-${name}/dist/index.js`, import.meta.url),
  );

/** Checks the parts of a report that are the same for every server without envelopes. */
function expectTruth(report: CheckReport, uncheckedTools?: number): void {
  const { rules, findings, verdict, unchecked } = report;
  expect([verdict, report.dialect]).toEqual(["failed", "response-v2"]);
  expect(rules.find(({ rule }) => rule === "RV2-01")).toMatchObject({ status: "failed", level: "MUST" });
  const shown = findings.filter(({ rule }) => rule === "RV2-01");
  expect(shown).toEqual([
    expect.objectContaining({
      message: expect.stringMatching(/^None of the \d+ answers is an envelope$/),
      evidence: expect.any(String),
      remedy: expect.stringContaining("wrapTool"),
    }),
  ]);
  // Rules that only an envelope can show have not passed.
  for (const rule of ["RV2-03", "RV2-10", "MCP-11", "MCP-12"])
    expect(rules.find((each) => each.rule === rule)).toMatchObject({
      status: "not_applicable",
      reason: "no answer was an envelope",
    });
  expect(rules.filter(({ status }) => status === "not_checked")).toEqual([]);
  if (uncheckedTools === undefined) expect(unchecked.length).toBeGreaterThan(0);
  else expect(unchecked).toHaveLength(uncheckedTools);
}

/** Returns the tools that were called, and the tools that were not called. */
function splitTools({ tools }: CheckReport) {
  const names = (isCalled: boolean) =>
    tools.filter(({ calls }) => calls > 0 === isCalled).map(({ tool }) => tool);
  for (const { calls, reason, status } of tools)
    if (calls === 0)
      expect([status, reason]).toEqual([
        "not_checked",
        "it does not say that it is read-only: name its calls with --calls",
      ]);
  return { called: names(true), left: names(false) };
}

/** Returns every file below a folder, with the attributes that show whether the file was changed. */
function snapshot(root: string) {
  return readdirSync(root, { recursive: true, encoding: "utf8" })
    .toSorted()
    .map((name) => {
      const { mtimeMs, size, ino, mode } = statSync(join(root, name));
      return { name, mtimeMs, size, ino, mode };
    });
}

const everything = {
  called: [
    "echo",
    "get-annotated-message",
    "get-env",
    "get-resource-links",
    "get-resource-reference",
    "get-structured-content",
    "get-sum",
    "get-tiny-image",
    "trigger-long-running-operation",
  ],
  left: [
    "gzip-file-as-resource",
    "toggle-simulated-logging",
    "toggle-subscriber-updates",
    "simulate-research-query",
  ],
};

describe.concurrent("a real server that does not speak the contract", () => {
  it("server-everything: what it lacks, and nothing called that may change something", async () => {
    const report = reportOf(
      await runFoundryCli([
        "contract",
        "check",
        "--call-timeout",
        "1",
        "--",
        process.execPath,
        pathOf("everything"),
      ]),
    );
    expectTruth(report);
    expect(splitTools(report)).toEqual(everything);
    // The long-running tool of this server takes 10 seconds by default. The checker passes a duration of one second,
    // and the tool sends progress.
    expect(report.rules.find(({ rule }) => rule === "MCP-17")).toMatchObject({ status: "passed" });
    expect(report.tools.find(({ tool }) => tool === "echo")).toMatchObject({ status: "checked" });
  });

  it("server-everything over HTTP: the same", async () => {
    const port = await freePort();
    const server = spawn(process.execPath, [pathOf("everything"), "streamableHttp"], {
      env: { PATH: process.env["PATH"], PORT: String(port) },
      stdio: ["ignore", "ignore", "pipe"],
    });
    try {
      await once(server.stderr, "data");
      await untilListening(port);
      const url = `http://127.0.0.1:${port}/mcp`;
      const report = reportOf(
        await runFoundryCli(["contract", "check", "--call-timeout", "1", "--url", url]),
      );
      expectTruth(report);
      expect(splitTools(report)).toEqual(everything);
      expect(report.server.target).toBe(url);
      expect(report.rules.find(({ rule }) => rule === "MCP-19")).toMatchObject({ status: "not_applicable" });
    } finally {
      server.kill("SIGKILL");
    }
  });

  it("server-filesystem: no file is touched", async () => {
    const root = join(folder, "files");
    mkdirSync(join(root, "docs"), { recursive: true });
    writeFileSync(join(root, "a.txt"), "hello");
    writeFileSync(join(root, "docs", "b.md"), "# b");
    const before = snapshot(root);
    const report = reportOf(
      await runFoundryCli(["contract", "check", "--", process.execPath, pathOf("filesystem"), root]),
    );
    expectTruth(report);
    const { called, left } = splitTools(report);
    expect(left).toEqual(["write_file", "edit_file", "create_directory", "move_file"]);
    expect(called).toContain("read_text_file");
    expect(snapshot(root)).toEqual(before);
    // The failures of this server name the folder from its command line, and no other path.
    expect(report.rules.find(({ rule }) => rule === "MCP-14")).toMatchObject({ status: "passed", broken: 0 });
  });

  it("server-memory: nothing is remembered", async () => {
    const memory = join(folder, "memory.jsonl");
    const config = join(folder, ".mcp.json");
    const env = { MEMORY_FILE_PATH: memory };
    const entry = { command: process.execPath, args: [pathOf("memory")], env };
    writeFileSync(config, JSON.stringify({ mcpServers: { memory: entry } }));
    const report = reportOf(
      await runFoundryCli(["contract", "check", "--config", config, "--server", "memory"]),
    );
    expectTruth(report);
    expect(splitTools(report)).toEqual({
      called: ["read_graph", "search_nodes", "open_nodes"],
      left: [
        "create_entities",
        "create_relations",
        "add_observations",
        "delete_entities",
        "delete_observations",
        "delete_relations",
      ],
    });
    expect(existsSync(memory)).toBe(false);
  });

  it("server-sequential-thinking: what it lacks, and nothing is left unchecked", async () => {
    const report = reportOf(
      await runFoundryCli(["contract", "check", "--", process.execPath, pathOf("sequential-thinking")]),
    );
    expectTruth(report, 0);
    expect(splitTools(report)).toEqual({ called: ["sequentialthinking"], left: [] });
    expect(report.findings.filter(({ level }) => level === "MUST").map(({ rule }) => rule)).toEqual([
      "RV2-01",
    ]);
  });
});

it.concurrent("server-sequential-thinking passes the profile mcp, with warnings that are true", async () => {
  const argv = ["--", process.execPath, pathOf("sequential-thinking")];
  const report = reportOf(await runFoundryCli(["contract", "check", "--profile", "mcp", ...argv]));
  expect([report.verdict, report.unchecked]).toEqual(["passed", []]);
  // A tool of this server is marked idempotent, but counts every call. Its schema admits no unknown arguments, but
  // the tool accepts them.
  expect(report.findings.map(({ rule, level, path }) => [rule, level, path])).toEqual([
    ["MCP-16", "SHOULD", "$.thoughtHistoryLength"],
    ["MCP-25", "SHOULD", undefined],
  ]);
});

it.concurrent.each(["memory", "filesystem"])("server-%s breaks no MUST of the profile mcp", async (name) => {
  const argv = ["contract", "check", "--profile", "mcp", "--", process.execPath, pathOf(name), folder];
  const report = reportOf(await runFoundryCli(argv));
  expect([report.profile, report.verdict]).toEqual(["mcp", "incomplete"]);
  expect(report.findings.map(({ rule, level }) => [rule, level])).toEqual(
    report.findings.map(() => ["MCP-25", "SHOULD"]),
  );
  expect(report.wrapping?.fixes).toEqual(["MCP-25"]);
});

async function freePort(): Promise<number> {
  const server = createServer();
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

async function untilListening(port: number): Promise<void> {
  await vi.waitFor(() => fetch(`http://127.0.0.1:${port}/mcp`), { timeout: 30_000 });
}
