import { afterAll, beforeAll, expect, it } from "vitest";
import { startWorker } from "../specs/worker-process.ts";
import { specOf } from "../specs/workspace.ts";
import { openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

const tasks = 1_000;

describeConcurrent("claims through several servers on one database", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  it.each([2, 4])(
    `never collide: ${tasks} tasks, each wanted by four at once through %i servers`,
    async (count) => {
      const workspace = await openDatabaseWorkspace(database.url, { workspace: `of-${count}` });
      try {
        await workspace.add(specOf("claims", { tasks }));
        const servers = await workspace.openServers(count);
        const workers = ["a", "b", "c", "d"].map((name, index) =>
          startWorker("claim-worker", [turnOf(servers, index).url, name, String(tasks)]),
        );
        for (const worker of workers) expect(await worker.next()).toBe("ready");
        for (const { child } of workers) child.stdin?.write("go\n");
        expect(await Promise.all(workers.map(({ ended }) => ended))).toEqual([0, 0, 0, 0]);
        const won = workers.map(
          ({ lines }) => lines.slice(1) as { task: string; token?: string; failed?: string }[],
        );
        expect(won.flat().filter(({ failed }) => failed !== undefined)).toEqual([]);
        process.stdout.write(
          `${won.map(({ length }) => length).join("+")} claims of ${tasks} tasks through ${count} servers on PostgreSQL\n`,
        );
        expect(Math.min(...won.map(({ length }) => length))).toBeGreaterThan(0);
        expect(won.flat()).toHaveLength(tasks);
        expect(new Set(won.flat().map(({ task }) => task)).size).toBe(tasks);
        expect(new Set(won.flat().map(({ token }) => token)).size).toBe(tasks);
        // The stored leases are equal to the leases that the callers received.
        const kept = [...(await workspace.store.leases("claims")).values()];
        const told = workers.flatMap((_, index) =>
          (won[index] ?? []).map(({ task, token }) => [task, token, "abcd"[index]].join(" ")),
        );
        expect(
          kept.map(({ task_id, token, holder }) => [task_id, token, holder].join(" ")).toSorted(),
        ).toEqual(told.toSorted());
      } finally {
        await workspace.close();
      }
    },
    400_000,
  );
});
