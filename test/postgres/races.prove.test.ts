import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startWorker } from "../specs/worker-process.ts";
import { filesBelow, specOf } from "../specs/workspace.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

describeConcurrent("on one database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  describe.each([2, 4])("%i servers", (count) => {
    let workspace: DatabaseWorkspace;
    beforeAll(async () => {
      workspace = await openDatabaseWorkspace(database.url, { workspace: `of-${count}` });
    });
    afterAll(() => workspace.close());

    it("lose nothing of 16 agents with 25 tasks each on one spec, with commands and stdio servers beside them", async () => {
      await workspace.add(specOf("race", { phases: 16, tasks: 25 }));
      const servers = await workspace.openServers(count);
      const ways = [
        ...Array<string>(2).fill("cli"),
        ...Array<string>(3).fill("stdio"),
        ...Array.from({ length: 11 }, (_, agent) => turnOf(servers, agent).url),
      ];
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

      const spec = JSON.parse(Buffer.from(await workspace.store.readText("race")).toString());
      const kept = every.filter((task) => spec.hierarchy[task].status === "completed");
      process.stdout.write(
        `${said.length} of 400 acknowledged by ${count} servers on PostgreSQL, ${kept.length} kept, in ${seconds.toFixed(1)} s (${(400 / seconds).toFixed(0)} a second)\n`,
      );
      expect(kept).toEqual(every);
      const journalled = (spec.journal as { task_id: string }[]).map(({ task_id }) => task_id);
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
      const check = await workspace.cli("validate", "check", "race", "--strict");
      expect(check.data).toMatchObject({ is_valid: true, error_count: 0 });
      // There is one revision for each change, and no leftover.
      expect(check.data["revision"]).toMatch(/^401-/);
      expect(await workspace.store.leases("race")).toEqual(new Map());
      expect(await filesBelow(workspace.folder)).toEqual([".config/foundry/foundry.toml"]);
      // The last revisions are still kept, and each revision completed one task.
      const { data } = await workspace.cli("specs", "history", "race", "--limit", "50");
      const entries = data["entries"] as { revision: string; action: string; about: readonly string[] }[];
      expect(entries.map(({ revision }) => Number.parseInt(revision, 10))).toEqual(
        Array.from({ length: 50 }, (_, index) => 401 - index),
      );
      expect(entries.filter(({ action }) => action !== "task complete")).toEqual([]);
      const since = await workspace.cli(
        ...["specs", "diff", "race", "--from-revision", entries[49]?.revision ?? ""],
      );
      expect(since.data).toMatchObject({
        to_revision: entries[0]?.revision,
        journal: { added: 49, removed: 0 },
      });
    }, 400_000);
  });
});
