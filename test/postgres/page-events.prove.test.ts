import { afterAll, beforeAll, expect, it } from "vitest";
import { createPageClient, type PageEvents } from "../page/page-client.ts";
import { specOf } from "../specs/workspace.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

const spec_id = "harbour-2026-01-01-001";

describeConcurrent("pages of two servers on one database", () => {
  let database: TestDatabase;
  let workspace: DatabaseWorkspace;
  let urls: readonly string[];
  beforeAll(async () => {
    database = await createTestDatabase();
    workspace = await openDatabaseWorkspace(database.url);
    await workspace.add(specOf(spec_id, { tasks: 12 }));
    urls = (await workspace.openServers(2)).map(({ url }) => url.replace(/\/mcp$/, ""));
  });
  afterAll(async () => {
    await workspace.close();
    await database.close();
  });

  /** Reads up to the change that leads to a revision. */
  const readUntil = async (events: PageEvents, revision: unknown) => {
    for (;;) {
      const event = await events.next();
      if (event === undefined) throw new Error(`The stream ended before ${revision}`);
      if ((event.data as { readonly revision?: unknown }).revision === revision) return event;
    }
  };

  it("see the changes of the other server and of the command line, and resume", async () => {
    const pages = urls.map((url) => createPageClient(url));
    const streams = await Promise.all(pages.map((page) => page.events()));
    for (const stream of streams) expect((await stream.next())?.event).toBe("hello");
    const delays: number[] = [];
    for (let task = 1; task <= 10; task++) {
      const complete = { action: "complete", spec_id, task_id: `task-1-${task}` };
      const { data } =
        task % 3 === 0
          ? await workspace.cli("tasks", "complete", spec_id, complete.task_id)
          : ((await pages[task % 2]?.call("task", complete)) ?? { data: {} as Record<string, unknown> });
      expect(data["revision"]).toEqual(expect.any(String));
      const answeredAt = performance.now();
      for (const stream of streams) await readUntil(stream, data["revision"]);
      delays.push(performance.now() - answeredAt);
    }
    const longest = Math.round(Math.max(...delays));
    process.stdout.write(
      `${delays.length} changes seen by the pages of two servers, at most ${longest} ms after the answer\n`,
    );
    const [first] = streams;
    const [page] = pages;
    if (first === undefined || page === undefined) throw new Error("There are two pages");
    const { data } = await page.call("task", { action: "start", spec_id, task_id: "task-1-11" });
    const { id } = await readUntil(first, data["revision"]);
    await first.close();
    const later = await workspace.cli("tasks", "complete", spec_id, "task-1-11");
    const again = await page.events(id);
    expect((await again.next())?.data).toMatchObject({ resumed: true });
    await readUntil(again, later.data["revision"]);
    for (const stream of [again, ...streams.slice(1)]) await stream.close();
  });
});
