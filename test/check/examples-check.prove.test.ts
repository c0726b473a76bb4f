import { fileURLToPath } from "node:url";
import type { CheckReport } from "foundry-mcp/check";
import { describe, expect, it } from "vitest";
import { reportOf, runFoundryCli } from "./run-check-cli.ts";

const pathOf = (path: string) => fileURLToPath(new URL(`../../.build/${path}`, import.meta.url));
const check = async (argv: readonly string[], path: string, ...args: readonly string[]) =>
  reportOf(
    await runFoundryCli(["contract", "check", ...argv, "--", process.execPath, pathOf(path), ...args]),
  );

function expectPass({ verdict, rules, tools, unchecked }: CheckReport, warned: readonly string[] = []): void {
  expect([verdict, unchecked]).toEqual(["passed", []]);
  const others = rules.filter(({ status }) => status !== "passed" && status !== "not_applicable");
  expect(others.map(({ rule, status }) => [rule, status])).toEqual(warned.map((rule) => [rule, "warned"]));
  expect(tools.length).toBeGreaterThan(0);
  for (const { status, successes, failures, unseen_actions: unseen } of tools)
    expect([status, successes > 0, failures > 0, unseen]).toEqual(["checked", true, true, undefined]);
}

describe.concurrent("the examples", () => {
  it("02-server passes, over every protocol", async () => {
    const versions = [];
    for (const protocol of ["auto", "legacy", "2026-07-28"]) {
      const report = await check(["--protocol", protocol], "examples/02-server/server.js");
      expectPass(report);
      expect([report.dialect, report.server.name]).toEqual(["response-v2", "tides"]);
      versions.push(report.server.protocol_version);
    }
    expect(versions).toEqual(["2026-07-28", "2025-11-25", "2026-07-28"]);
  });

  it.for(["pro", "enterprise"])("04-tiers passes at tier %s, in envelope-v1", async (tier) => {
    const report = await check([], "examples/04-tiers/server.js", tier);
    expectPass(report);
    expect(report.dialect).toBe("envelope-v1");
    expect(report.tools.map(({ tool }) => tool)).toEqual([
      "security_scan",
      "extract_code",
      "audit_trail",
      "server",
    ]);
  });

  it("03-wrap: the wrapped tool keeps every MUST, the plain one is not called", async () => {
    const { verdict, findings, tools, unchecked } = await check([], "examples/03-wrap/server.js");
    expect(verdict).toBe("incomplete");
    expect(findings.filter(({ level }) => level === "MUST")).toEqual([]);
    const reason = "it does not say that it is read-only: name its calls with --calls";
    expect(unchecked).toEqual([{ what: "tide-plain", reason }]);
    expect(tools.map(({ tool, status }) => [tool, status])).toEqual([
      ["tide-plain", "not_checked"],
      ["tide", "checked"],
    ]);
  });
});

describe("a server of twenty tools", () => {
  const path = "test/check/twenty-tools.js";

  it("passes, and nothing but the answer is written to a pipe", async () => {
    const report = await check([], path);
    // Twenty definitions take more than the 10,000 tokens that all definitions together should have.
    expectPass(report, ["MCP-09"]);
    expect(report.tools).toHaveLength(21);
    // biome-ignore lint/suspicious/noConsole: how long it takes is worth knowing
    console.log(`20 tools: ${report.calls} calls in ${report.duration_ms} ms`);
  });
});

describe("a check in a terminal", () => {
  it("shows its progress and erases it", async () => {
    const line = [
      "contract",
      "check",
      "--human",
      "--",
      process.execPath,
      pathOf("examples/02-server/server.js"),
    ];
    const { stdout, code } = await runFoundryCli(line, { terminal: true });
    expect(code).toBe(0);
    const shown = stdout.split("\r\u001b[2K");
    const isProgress = (each: string) => /^\[#*\.*\] \d+\/\d+ \(\d+ %\) (tide|server \w+)$/.test(each);
    expect(shown.filter(isProgress).length).toBeGreaterThan(5);
    expect(shown.at(-1)).toContain("tides 1.0.0 keeps the contract");
    expect(shown.at(-1)).toContain("Exit code 0");
  });
});
