import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { openFileStore } from "#built/foundry/specs/stores/file-store/file-store.js";
import { startWorker } from "./worker-process.ts";
import { createWorkspace, specOf, type TestWorkspace } from "./workspace.ts";

let workspace: TestWorkspace;
beforeEach(async () => {
  workspace = await createWorkspace();
});
afterEach(() => workspace.remove());

const tasks = 1_000;

describe("claims of several processes", () => {
  it(`never collide: ${tasks} tasks, each wanted by four at once`, async () => {
    await workspace.write("active/claims.json", specOf("claims", { tasks }));
    const workers = ["a", "b", "c", "d"].map((name) =>
      startWorker("claim-worker", [workspace.specs, name, String(tasks)]),
    );
    for (const worker of workers) expect(await worker.next()).toBe("ready");
    for (const { child } of workers) child.stdin?.write("go\n");
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const won = workers.map(
      ({ lines }) => lines.slice(1) as { task: string; token?: string; failed?: string }[],
    );
    expect(won.flat().filter(({ failed }) => failed !== undefined)).toEqual([]);
    process.stdout.write(`${won.map(({ length }) => length).join("+")} claims of ${tasks} tasks\n`);
    expect(won.flat()).toHaveLength(tasks);
    expect(new Set(won.flat().map(({ task }) => task)).size).toBe(tasks);
    expect(new Set(won.flat().map(({ token }) => token)).size).toBe(tasks);
    const store = openFileStore({ root: workspace.specs });
    expect((await store.leases("claims")).size).toBe(tasks);
    await store.close();
  }, 300_000);
});

describe("batches of several processes", () => {
  it("never hand out a task twice: 400 tasks, claimed by four at once", async () => {
    const count = 400;
    const document = specOf("batches", { tasks: count });
    const nodes = document.hierarchy as Record<string, { metadata?: object }>;
    for (let number = 1; number <= count; number++) {
      const node = nodes[`task-1-${number}`];
      if (node !== undefined) node.metadata = { ...node.metadata, file_path: `src/${number}.ts` };
    }
    await workspace.write("active/batches.json", document);
    const workers = ["a", "b", "c", "d"].map((name) => startWorker("batch-worker", [workspace.specs, name]));
    for (const worker of workers) expect(await worker.next()).toBe("ready");
    for (const { child } of workers) child.stdin?.write("go\n");
    expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
    const won = workers.map(({ lines }) => lines.slice(1) as { task: string; token: string }[]);
    process.stdout.write(`${won.map(({ length }) => length).join("+")} tasks of ${count} in batches\n`);
    expect(won.flat()).toHaveLength(count);
    expect(new Set(won.flat().map(({ task }) => task)).size).toBe(count);
    expect(new Set(won.flat().map(({ token }) => token)).size).toBe(count);
  }, 300_000);
});

const kills = 60;

describe("a call with a key", () => {
  it(`is made once, though its process is killed at any moment: ${kills} times`, async () => {
    await workspace.write("active/notes.json", specOf("notes"));
    await workspace.write("active/held.json", specOf("held", { tasks: 5_000 }));
    await workspace.write("active/moves.json", specOf("moves"));
    let next = 0;
    let inDoubt = 0;
    for (let kill = 0; kill < kills; kill++) {
      const worker = startWorker("key-worker", [workspace.specs, String(next)]);
      await worker.next();
      await pause(Math.random() * 150);
      worker.child.kill("SIGKILL");
      await worker.ended;
      const last = (worker.lines.at(-1) as { number: number }).number;
      // A call without an answer is repeated, regardless of whether the change was made.
      next = last + 1;
      inDoubt += 1;
    }
    const worker = startWorker("key-worker", [workspace.specs, String(next)]);
    await worker.next();
    worker.child.kill("SIGKILL");
    await worker.ended;
    const store = openFileStore({ root: workspace.specs });
    // The result of the last call may again be unknown, so the call is repeated too.
    const count = (worker.lines.at(-1) as { number: number }).number + 1;
    const notes = (await store.read("notes")).model.journal.map(({ content }) => Number(content));
    const held = (await store.leases("held")).size;
    const moves = await journalOf("moves");
    const numbers = (rest: number) =>
      Array.from({ length: count }, (_, number) => number).filter((number) => number % 3 === rest);
    process.stdout.write(
      `${count} calls with keys, ${kills} kills: ${notes.length} notes, ${held} claims, ${moves.length} moves\n`,
    );
    expect(inDoubt).toBe(kills);
    expect(notes.filter((number) => number < count)).toEqual(numbers(0));
    expect(held - numbers(1).length).toBeGreaterThanOrEqual(0);
    expect(held - numbers(1).length).toBeLessThanOrEqual(1);
    expect(moves.filter((number) => number < count)).toEqual(numbers(2));
    await store.close();
  }, 400_000);
});

async function journalOf(id: string): Promise<readonly number[]> {
  for (const folder of ["active", "pending"]) {
    const text = await readFile(join(workspace.specs, folder, `${id}.json`), "utf8").catch(() => undefined);
    if (text === undefined) continue;
    const { journal } = JSON.parse(text) as { journal: { content: string }[] };
    return journal.map(({ content }) => Number(/(\d+)\D*$/.exec(content)?.[1]));
  }
  return [];
}
