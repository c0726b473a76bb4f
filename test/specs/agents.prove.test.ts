import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { countIdleThoughReady, requireDoneInOrder, saidBy, sharedSpec, taskCount } from "./agent-run.ts";
import { callCli, type HttpServer, openHttpServer } from "./programs.ts";
import { startWorker, type WorkerProcess } from "./worker-process.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
let server: HttpServer;
const alive = new Set<WorkerProcess>();
beforeEach(async () => {
  workspace = await createWorkspace();
  await workspace.write("active/shared.json", sharedSpec());
  // All revisions are kept, because they are examined after the run.
  await workspace.write("../foundry.toml", "history = 5000\n");
  server = await openHttpServer(workspace.folder);
});
afterEach(async () => {
  for (const worker of alive) worker.child.kill("SIGKILL");
  await Promise.all([...alive].map(({ ended }) => ended));
  alive.clear();
  await server.close();
  await workspace.remove();
});

function startAgent(way: string, name: string, minutes: number): WorkerProcess {
  const agent = startWorker("agent-worker", [way, workspace.folder, "shared", name, String(minutes)]);
  alive.add(agent);
  void agent.ended.then(() => alive.delete(agent));
  return agent;
}

/** Returns the result of the run from the files and from the command line. */
const workplace = () => ({
  store: openFileStore({ root: workspace.specs, keepRevisions: 5_000 }),
  cli: (...argv: string[]) => callCli(argv, { cwd: workspace.folder }),
});

describe(`8 agents on a spec of ${taskCount} tasks that wait for one another`, () => {
  it("do each task once, in a legal order, and nobody is idle while work is ready", async () => {
    const started = performance.now();
    const agents = Array.from({ length: 8 }, (_, index) =>
      startAgent(index % 2 === 0 ? "stdio" : server.url, `agent-${index}`, 15),
    );
    expect(await Promise.all(agents.map(({ ended }) => ended))).toEqual(Array(8).fill(0));
    const said = saidBy(agents);
    const seconds = (performance.now() - started) / 1_000;
    const shares = agents.map((agent) => saidBy([agent]).filter(({ done }) => done).length);
    expect(said.filter(({ failed }) => failed !== undefined)).toEqual([]);
    expect(said.flatMap(({ done }) => done ?? []).toSorted()).toHaveLength(taskCount);
    expect(new Set(said.flatMap(({ done }) => done ?? [])).size).toBe(taskCount);
    await requireDoneInOrder(workplace());
    const { idle, wrong } = await countIdleThoughReady(workplace(), said);
    process.stdout.write(
      `${taskCount} tasks by 8 agents in ${seconds.toFixed(1)} s, ${shares.join("+")}; idle ${idle} times, ${wrong} of them though work was ready\n`,
    );
    expect(wrong).toBe(0);
    expect(Math.min(...shares)).toBeGreaterThan(0);
  }, 300_000);

  it("finish it although they are killed at random: leases run out, and others go on", async () => {
    const every: WorkerProcess[] = [];
    let kills = 0;
    const start = (slot: number) => {
      const way = slot % 2 === 0 ? "stdio" : server.url;
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
      if (isOver() || victim === undefined || kills >= 40) continue;
      victim.child.kill("SIGKILL");
      await victim.ended;
      kills += 1;
      slots[slot] = start(slot);
    }
    await Promise.all(slots.map(({ ended }) => ended));
    const said = saidBy(every);
    process.stdout.write(
      `${taskCount} tasks, ${kills} agents killed, ${said.filter(({ failed }) => failed !== undefined).length} late answers refused\n`,
    );
    expect(kills).toBeGreaterThan(5);
    await requireDoneInOrder(workplace());
  }, 400_000);
});
