import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer } from "./programs.ts";
import { startWorker } from "./worker-process.ts";
import { createWorkspace, settledFilesBelow, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: HttpServer;
beforeAll(async () => {
  workspace = await createWorkspace();
  await workspace.write("active/race.json", specOf("race", { phases: 16, tasks: 25 }));
  server = await openHttpServer(workspace.folder);
});
afterAll(async () => {
  await server.close();
  await workspace.remove();
});

describe("16 agents with 25 tasks each, on one spec", () => {
  it("through the command line, one HTTP server and stdio servers at once lose nothing", async () => {
    const ways = [
      ...Array(6).fill("cli"),
      ...Array(5).fill(server.url),
      ...Array(5).fill("stdio"),
    ] as string[];
    const tasksOf = (agent: number) =>
      Array.from({ length: 25 }, (_, index) => `task-${agent + 1}-${index + 1}`);
    const agents = ways.map((way, agent) =>
      startWorker("race-worker", [way, workspace.folder, "race", ...tasksOf(agent)]),
    );
    for (const agent of agents) expect(await agent.next()).toBe("ready");
    const started = performance.now();
    for (const agent of agents) agent.child.stdin?.write("go\n");
    expect(await Promise.all(agents.map(({ ended }) => ended))).toEqual(Array(16).fill(0));
    const seconds = (performance.now() - started) / 1_000;

    const said = agents.flatMap(({ lines }) => lines.slice(1)) as { done?: string; failed?: string }[];
    expect(said.filter(({ failed }) => failed !== undefined).slice(0, 5)).toEqual([]);
    const every = ways.flatMap((_, agent) => tasksOf(agent)).toSorted();
    expect(said.map(({ done }) => done).toSorted()).toEqual(every);

    const spec = JSON.parse(await readFile(`${workspace.specs}/active/race.json`, "utf8"));
    const kept = every.filter((task) => spec.hierarchy[task].status === "completed");
    process.stdout.write(
      `${said.length} of 400 acknowledged, ${kept.length} kept, in ${seconds.toFixed(1)} s (${(400 / seconds).toFixed(0)} a second)\n`,
    );
    expect(kept).toEqual(every);
    const journalled = (spec.journal as { task_id: string; entry_type: string }[]).map(
      ({ task_id }) => task_id,
    );
    expect(journalled.toSorted()).toEqual(every);
    const { total_tasks, completed_tasks, status } = spec.hierarchy["spec-root"];
    expect({ total_tasks, completed_tasks, status }).toEqual({
      total_tasks: 400,
      completed_tasks: 400,
      status: "completed",
    });
    for (let phase = 1; phase <= 16; phase++)
      expect(spec.hierarchy[`phase-${phase}`], `phase-${phase}`).toMatchObject({
        completed_tasks: 25,
        status: "completed",
      });
    const check = await callCli(["validate", "check", "race", "--strict"], { cwd: workspace.folder });
    expect(check.data).toMatchObject({ is_valid: true, error_count: 0 });
    // There is one revision for each change, and no leftover file.
    expect(check.data["revision"]).toMatch(/^401-/);
    expect(await settledFilesBelow(workspace.specs)).toEqual([
      ".foundry/.gitignore",
      ".foundry/history/race/base.json",
      ".foundry/history/race/log.jsonl",
      ".foundry/history/race/replaced.json",
      ".foundry/state/race.json",
      "active/race.json",
    ]);
    // The last revisions are still kept, and each revision completed one task.
    const { data } = await callCli(["specs", "history", "race", "--limit", "50"], { cwd: workspace.folder });
    const entries = data["entries"] as { revision: string; action: string; about: readonly string[] }[];
    expect(entries.map(({ revision }) => Number.parseInt(revision, 10))).toEqual(
      Array.from({ length: 50 }, (_, index) => 401 - index),
    );
    expect(entries.filter(({ action }) => action !== "task complete")).toEqual([]);
    const since = await callCli(["specs", "diff", "race", "--from-revision", entries[49]?.revision ?? ""], {
      cwd: workspace.folder,
    });
    expect(since.data).toMatchObject({
      to_revision: entries[0]?.revision,
      journal: { added: 49, removed: 0 },
    });
  }, 400_000);
});
