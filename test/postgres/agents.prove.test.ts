import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import {
  countIdleThoughReady,
  requireDoneInOrder,
  saidBy,
  sharedSpec,
  taskCount,
} from "../specs/agent-run.ts";
import type { HttpServer } from "../specs/programs.ts";
import { startWorker, type WorkerProcess } from "../specs/worker-process.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

describeConcurrent(`8 agents on a spec of ${taskCount} tasks that wait for one another`, () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  describe.each([2, 4])("through %i servers on one database", (count) => {
    let workspace: DatabaseWorkspace;
    let servers: readonly HttpServer[];
    let runs = 0;
    const alive = new Set<WorkerProcess>();
    beforeEach(async () => {
      // All revisions are kept, because they are examined after the run.
      const options = { workspace: `of-${count}-${++runs}`, history: 5_000 };
      workspace = await openDatabaseWorkspace(database.url, options);
      await workspace.add(sharedSpec());
      servers = await workspace.openServers(count);
    });
    afterEach(async () => {
      for (const worker of alive) worker.child.kill("SIGKILL");
      await Promise.all([...alive].map(({ ended }) => ended));
      alive.clear();
      await workspace.close();
    });

    function startAgent(way: string, name: string, minutes: number): WorkerProcess {
      const agent = startWorker("agent-worker", [way, workspace.folder, "shared", name, String(minutes)]);
      alive.add(agent);
      void agent.ended.then(() => alive.delete(agent));
      return agent;
    }

    it("do each task once, in a legal order, and nobody is idle while work is ready", async () => {
      const started = performance.now();
      const agents = Array.from({ length: 8 }, (_, index) =>
        startAgent(turnOf(servers, index).url, `agent-${index}`, 15),
      );
      expect(await Promise.all(agents.map(({ ended }) => ended))).toEqual(Array(8).fill(0));
      const said = saidBy(agents);
      const seconds = (performance.now() - started) / 1_000;
      const shares = agents.map((agent) => saidBy([agent]).filter(({ done }) => done).length);
      expect(said.filter(({ failed }) => failed !== undefined)).toEqual([]);
      expect(said.flatMap(({ done }) => done ?? [])).toHaveLength(taskCount);
      expect(new Set(said.flatMap(({ done }) => done ?? [])).size).toBe(taskCount);
      await requireDoneInOrder(workspace);
      const { idle, wrong } = await countIdleThoughReady(workspace, said);
      process.stdout.write(
        `${taskCount} tasks by 8 agents through ${count} servers on PostgreSQL in ${seconds.toFixed(1)} s, ${shares.join("+")}; idle ${idle} times, ${wrong} of them though work was ready\n`,
      );
      expect(wrong).toBe(0);
      expect(Math.min(...shares)).toBeGreaterThan(0);
    }, 400_000);

    it("finish it although they are killed at random: leases run out, and others go on", async () => {
      const every: WorkerProcess[] = [];
      let kills = 0;
      // Half of the agents also kill their server.
      const start = (slot: number) => {
        const way = slot % 2 === 0 ? "stdio" : turnOf(servers, (slot - 1) / 2).url;
        const agent = startAgent(way, `agent-${slot}-${every.length}`, 0.05);
        every.push(agent);
        return agent;
      };
      const slots = Array.from({ length: 8 }, (_, slot) => start(slot));
      const isOver = () => slots.some(({ child }) => child.exitCode === 0);
      while (!isOver()) {
        await pause(400);
        const slot = Math.floor(Math.random() * 8);
        const victim = slots[slot];
        if (isOver() || victim === undefined || kills >= 15) continue;
        victim.child.kill("SIGKILL");
        await victim.ended;
        kills += 1;
        slots[slot] = start(slot);
      }
      await Promise.all(slots.map(({ ended }) => ended));
      const late = saidBy(every).filter(({ failed }) => failed !== undefined).length;
      process.stdout.write(
        `${taskCount} tasks through ${count} servers on PostgreSQL, ${kills} agents killed, ${late} late answers refused\n`,
      );
      expect(kills).toBeGreaterThan(5);
      await requireDoneInOrder(workspace);
    }, 400_000);
  });
});
