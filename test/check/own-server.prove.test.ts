import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CheckReport } from "foundry-mcp/check";
import { afterAll, describe, expect, it } from "vitest";
import { foundryMcp } from "../bins.ts";
import { envelopeOf, reportOf, runFoundryCli } from "./run-check-cli.ts";

const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true });
});

/** Creates a workspace. The workspace has the sample spec only if an option requests it. */
async function createWorkspace(...options: readonly string[]): Promise<string> {
  const cwd = mkdtempSync(join(tmpdir(), "foundry-own-"));
  folders.push(cwd);
  expect(envelopeOf(await runFoundryCli(["init", ...options], { cwd })).success).toBe(true);
  return cwd;
}

/** On a busy machine, a check takes longer than its default time limit of a minute. */
const time = ["--time-limit", "300"];
const checkTools = async (tools: string, cwd: string, ...options: readonly string[]) => {
  const server = [process.execPath, foundryMcp, "--tools", tools];
  const argv = ["contract", "check", ...time, ...options, "--", ...server];
  return reportOf(await runFoundryCli(argv, { cwd, limitMs: 300_000 }));
};
const check = (cwd: string, ...options: readonly string[]) => checkTools("core", cwd, ...options);

describe("the checker finds no fault in the server", () => {
  it("of a workspace without specs, whose lifecycle tool is judged by its failures", async () => {
    const report = await check(await createWorkspace("--no-sample"));
    expect([report.verdict, report.findings, report.unchecked]).toEqual(["passed", [], []]);
    expect(report.tools.map(({ tool, status }) => [tool, status])).toEqual([
      ["spec", "checked"],
      ["task", "checked"],
      ["lifecycle", "no_data"],
      ["content", "checked"],
      ["server", "checked"],
    ]);
  });

  it("of a workspace in which nothing is ready, where task wait would wait", async () => {
    const cwd = await createWorkspace("--no-sample");
    expect(envelopeOf(await runFoundryCli(["specs", "create", "A"], { cwd })).success).toBe(true);
    const report = await check(cwd);
    expect([report.verdict, report.findings, report.unchecked]).toEqual(["passed", [], []]);
  });
});

const unseenOf = (report: CheckReport) =>
  report.tools.flatMap(({ tool, unseen_actions: actions = [] }) =>
    actions.map((action) => `${tool} ${action}`),
  );

describe("--write-calls", () => {
  it("writes calls for the sample workspace that reach every action of the server", async () => {
    const cwd = await createWorkspace();
    const first = await check(cwd, "--write-calls", "calls.toml");
    const unseen = first.tools.flatMap(({ unseen_actions: actions = [] }) => actions);
    expect(unseen).toEqual(expect.arrayContaining(["import", "start", "complete", "remove"]));
    const second = await check(cwd, "--calls", "calls.toml");
    expect([second.verdict, second.findings, second.unchecked]).toEqual(["passed", [], []]);
    expect(second.tools.map(({ tool }) => tool)).toEqual(["spec", "task", "lifecycle", "content", "server"]);
    expect(unseenOf(second)).toEqual([]);
  });

  it("writes calls that pass where there are no specs, unedited", async () => {
    const cwd = await createWorkspace("--no-sample");
    expect((await check(cwd, "--write-calls", "calls.toml")).verdict).toBe("passed");
    const report = await check(cwd, "--calls", "calls.toml");
    expect([report.verdict, report.findings, report.unchecked]).toEqual(["passed", [], []]);
    expect(report.tools.map(({ status }) => status)).toEqual(Array(5).fill("checked"));
  });

  it("writes calls for all tools that pass, and reach all but what the configuration or a finished run refuses", async () => {
    const cwd = await createWorkspace();
    const first = await checkTools("all", cwd, "--write-calls", "calls.toml");
    expect(first.unchecked.map(({ what }) => what)).toEqual(["verification"]);
    const report = await checkTools("all", cwd, "--calls", "calls.toml");
    expect([report.verdict, report.findings, report.unchecked]).toEqual(["passed", [], []]);
    // These calls cannot succeed. Programs run only if the user's configuration names them. The research run has
    // ended before the call that cancels it, and its text is too short for a digest to verify.
    expect(unseenOf(report)).toEqual([
      "verification execute",
      "research verify",
      "research resume",
      "research cancel",
    ]);
  });

  it("replaces no file", async () => {
    const cwd = await createWorkspace("--no-sample");
    const path = join(cwd, "calls.toml");
    writeFileSync(path, "# mine\n");
    const argv = ["contract", "check", "--write-calls", path, "--", process.execPath, foundryMcp];
    expect(envelopeOf(await runFoundryCli(argv, { cwd }))).toMatchObject({
      success: false,
      error: `Cannot write the calls to "${path}": the file exists`,
      data: {
        error_code: "CONFLICT",
        remediation: "Give --write-calls a file that does not exist yet, or remove this one.",
      },
    });
    expect(readFileSync(path, "utf8")).toBe("# mine\n");
  });
});
