import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CheckReport } from "foundry-mcp/check";
import { describe, expect, it } from "vitest";
import { claimTask } from "#built/foundry/specs/model/claims/claim-task.js";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { callCli, serverScript } from "./programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

/**
 * Creates a completed research run, and a run without its report, as if its process had been killed at the
 * end.
 */
async function writeResearches({ folder, specs }: TestWorkspace) {
  await mkdir(join(folder, "docs"));
  const sentences = Array.from(
    { length: 20 },
    (_, at) => `The moon lifts the sea on day ${at} of the month.`,
  );
  await writeFile(join(folder, "docs", "moon.txt"), sentences.join(" "));
  const start = async () => {
    const { data } = await callCli(["research", "start", "What does the moon do?", "docs"], { cwd: folder });
    return String(data["research_id"]);
  };
  const [done, interrupted] = [await start(), await start()];
  await rm(join(specs, ".foundry", "research", interrupted, "report.json"));
  return { done, interrupted };
}

/**
 * Writes the calls file with values that are known only at this point: a lease token, a revision, and ids of research
 * runs.
 */
async function writeCalls(workspace: TestWorkspace): Promise<void> {
  const { folder, specs } = workspace;
  const { done, interrupted } = await writeResearches(workspace);
  const store = openFileStore({ root: specs });
  const { result, snapshot } = await store.change(
    "checked",
    claimTask({ task_id: "task-2-4", holder: "ada" }),
  );
  await store.close();
  const text = await readFile(new URL("calls.toml", import.meta.url), "utf8");
  const known = text
    .replaceAll("<token>", result.claim_token)
    .replaceAll("<first revision>", snapshot.revision)
    .replaceAll("<done>", done)
    .replaceAll("<interrupted>", interrupted);
  await writeFile(join(folder, "calls.toml"), known);
}

/** Returns the report of the checker on the server, with the real specs and a spec that it may change. */
async function check(options: readonly string[], ...flags: readonly string[]): Promise<CheckReport> {
  const workspace = await createWorkspace("real");
  const blockedBy = { "task-1-2": ["task-1-1"] };
  await workspace.write("pending/checked.json", specOf("checked", { phases: 2, tasks: 4, blockedBy }));
  await writeCalls(workspace);
  const server = [
    process.execPath,
    serverScript,
    ...flags,
    "--specs-dir",
    workspace.specs,
    "--log-level",
    "error",
  ];
  const { data } = await callCli(["contract", "check", "--time-limit", "120", ...options, "--", ...server], {
    cwd: workspace.folder,
  });
  await workspace.remove();
  return data as unknown as CheckReport;
}

function expectPass({ verdict, findings, rules, unchecked }: CheckReport): void {
  expect(findings).toEqual([]);
  expect([verdict, unchecked]).toEqual(["passed", []]);
  const others = rules.filter(({ status }) => status !== "passed" && status !== "not_applicable");
  expect(others.map(({ rule, status }) => [rule, status])).toEqual([]);
}

describe("the checker passes the server", () => {
  it("with all tools, every action of them seen to succeed", async () => {
    const report = await check(["--calls", "calls.toml"], "--tools", "all", "--verify-programs", "node");
    expectPass(report);
    expect(report.tools.map(({ tool, status, unseen_actions }) => [tool, status, unseen_actions])).toEqual(
      [
        "spec",
        "task",
        "authoring",
        "lifecycle",
        "journal",
        "verification",
        "review",
        "research",
        "content",
        "server",
      ].map((tool) => [tool, "checked", undefined]),
    );
  });

  it("with the core tools, and nothing told but where it is", async () => {
    const report = await check([], "--tools", "core");
    expectPass(report);
    expect(report.tools.map(({ tool, status }) => [tool, status])).toEqual(
      ["spec", "task", "lifecycle", "content", "server"].map((tool) => [tool, "checked"]),
    );
  });
});
