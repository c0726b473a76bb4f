import { once } from "node:events";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { callCli, type HttpServer, openHttpServer } from "../specs/programs.ts";
import { createWorkspace, specOf, type TestWorkspace } from "../specs/workspace.ts";
import { createPageClient, type PageEvents } from "./page-client.ts";

const spec_id = "harbour-2026-01-01-001";
let place: TestWorkspace;
let server: HttpServer;
const originOf = ({ url }: HttpServer) => url.replace(/\/mcp$/, "");
const open = (...args: readonly string[]) => openHttpServer(place.folder, ["--tools", "core", ...args]);
beforeEach(async () => {
  place = await createWorkspace();
  await place.write(`active/${spec_id}.json`, specOf(spec_id, { tasks: 6 }));
  server = await open();
});
afterEach(async () => {
  // A server that ends by itself waits for the connections that fetch keeps.
  await kill();
  await place.remove();
});

async function kill(): Promise<void> {
  const ended = once(server.child, "exit");
  server.child.kill("SIGKILL");
  await ended;
}

/** Reads the next events, all of which must be changes, and returns their revisions. */
async function readRevisions(events: PageEvents, count: number): Promise<readonly unknown[]> {
  const revisions: unknown[] = [];
  while (revisions.length < count) {
    const event = await events.next();
    if (event?.event !== "change") throw new Error(`Instead of a change: ${JSON.stringify(event)}`);
    revisions.push((event.data as { readonly revision?: unknown }).revision);
  }
  return revisions;
}

/** Reads events until one has this data. */
async function readUntilData(events: PageEvents, data: object): Promise<void> {
  for (;;) {
    const event = await events.next();
    if (event === undefined) throw new Error(`The stream ended before ${JSON.stringify(data)}`);
    if (isDeepStrictEqual(event.data, data)) return;
  }
}
const complete = (task: number) =>
  callCli(["tasks", "complete", spec_id, `task-1-${task}`], { cwd: place.folder });

describe("two pages and a command line at one spec", () => {
  it("see the changes of each other, once and in order", async () => {
    const page = createPageClient(originOf(server));
    const [one, other] = [await page.events(), await page.events()];
    for (const events of [one, other]) expect((await events.next())?.event).toBe("hello");
    const start = { action: "start", spec_id, task_id: "task-1-1" };
    const { data: started } = await page.call("task", start);
    for (const events of [one, other]) expect(await readRevisions(events, 1)).toEqual([started["revision"]]);
    const { data: completed } = await complete(1);
    for (const events of [one, other])
      expect(await readRevisions(events, 1)).toEqual([completed["revision"]]);
    const history = await callCli(["specs", "history", spec_id], { cwd: place.folder });
    expect((history.data["entries"] as readonly { action: string }[]).map(({ action }) => action)).toEqual([
      "task complete",
      "task start",
      "first seen",
    ]);
  });

  it("see leases, moves, deletions and files that cannot be read, of any program", async () => {
    const events = await createPageClient(originOf(server)).events();
    await events.next();
    const cli = (...argv: readonly string[]) => callCli(argv, { cwd: place.folder });
    const { data: claimed } = await cli("tasks", "claim", spec_id, "task-1-1", "--holder", "bob");
    const { revision } = claimed as { readonly revision: string };
    const about = { kind: "spec", spec_id };
    await readUntilData(events, { ...about, revision, folder: "active" });
    await cli("tasks", "release", spec_id, "task-1-1", "--claim-token", String(claimed["claim_token"]));
    await cli("lifecycle", "move", spec_id, "pending");
    const { data: list } = await cli("specs", "find");
    const [moved] = list["specs"] as readonly { readonly revision: string }[];
    await readUntilData(events, { ...about, revision: moved?.revision, folder: "pending" });
    await writeFile(join(place.specs, "pending", `${spec_id}.json`), "{");
    await readUntilData(events, { ...about, unreadable: true });
    await rm(join(place.specs, "pending", `${spec_id}.json`));
    await readUntilData(events, { ...about, deleted: true });
  });

  it("are told when a server was killed and restarted, and catch up", async () => {
    const page = createPageClient(originOf(server));
    const events = await page.events();
    const hello = await events.next();
    const { data } = await complete(1);
    expect(await readRevisions(events, 1)).toEqual([data["revision"]]);
    await kill();
    await expect(events.next()).rejects.toThrow();
    await complete(2);
    server = await open("--port", new URL(page.url).port);
    const again = await page.events(hello?.id);
    expect((await again.next())?.data).toEqual({ server_id: expect.any(String), resumed: false });
    const { data: list } = await page.call("spec", { action: "list" });
    expect(list["specs"]).toMatchObject([{ id: spec_id, progress: { completed: 2, total: 6 } }]);
    const { data: third } = await complete(3);
    expect(await readRevisions(again, 1)).toEqual([third["revision"]]);
  });

  it("resume on the running server without loss or repeat", async () => {
    const page = createPageClient(originOf(server));
    const events = await page.events();
    const hello = await events.next();
    await events.close();
    const revisions: unknown[] = [];
    // The watcher may report two changes that follow each other closely as one, so each is awaited.
    const witness = await page.events();
    await witness.next();
    for (const task of [1, 2, 3]) {
      revisions.push((await complete(task)).data["revision"]);
      expect(await readRevisions(witness, 1)).toEqual(revisions.slice(-1));
    }
    const again = await page.events(hello?.id);
    expect((await again.next())?.data).toMatchObject({ resumed: true });
    expect(await readRevisions(again, 3)).toEqual(revisions);
  });
});

describe("a conflict", () => {
  it("carries what the page needs to show both sides, and an undo takes back the page's change", async () => {
    const page = createPageClient(originOf(server));
    const { data: read } = await page.call("spec", { action: "get", spec_id });
    const title = "Written at the page";
    const rename = { action: "update", spec_id, task_id: "task-1-2", title };
    const { data: before } = await page.call("task", {
      ...rename,
      title: "First",
      if_revision: read["revision"],
    });
    const other = await callCli(["tasks", "update", spec_id, "task-1-2", "--title", "By another"], {
      cwd: place.folder,
      env: { FOUNDRY_AUTHOR: "Bob" },
    });
    const theirs = other.data["revision"];
    const mine = { ...rename, if_revision: before["revision"] };
    const { error, data } = await page.call("task", mine);
    expect([error, data["error_code"], data["details"]]).toEqual([
      `Spec "${spec_id}" is at revision ${theirs}, not at ${before["revision"]}`,
      "VERSION_CONFLICT",
      {
        spec_id,
        if_revision: before["revision"],
        revision: theirs,
        changed_fields: expect.arrayContaining(["task-1-2.title"]),
        changed_count: expect.any(Number),
      },
    ]);
    const diff = await page.call("spec", {
      action: "diff",
      spec_id,
      from_revision: before["revision"],
      to_revision: theirs,
    });
    expect(diff.data["changed"]).toContainEqual({
      id: "task-1-2",
      field: "title",
      before: "First",
      after: "By another",
    });
    const settled = await page.call("task", { ...mine, if_revision: theirs });
    expect(settled.success).toBe(true);
    const undone = await page.call("spec", { action: "undo", spec_id });
    expect(undone.data["undone"]).toMatchObject({ action: "task update" });
    const task = await page.call("task", { action: "info", spec_id, task_id: "task-1-2" });
    expect(JSON.stringify(task.data)).toContain("By another");
    expect(JSON.stringify(task.data)).not.toContain(title);
  });

  it("names people as authors of what is done at the page, as on a command line", async () => {
    await kill();
    server = await openHttpServer(place.folder, [], { FOUNDRY_AUTHOR: "Ann" });
    const page = createPageClient(originOf(server));
    await page.call("task", { action: "start", spec_id, task_id: "task-1-1" });
    await fetch(`${page.url}/api/tools/task`, {
      method: "POST",
      headers: { "user-agent": "robot" },
      body: JSON.stringify({ action: "start", spec_id, task_id: "task-1-2" }),
    });
    const { data } = await page.call("spec", { action: "history", spec_id });
    const authors = (data["entries"] as readonly { readonly author: string }[]).map(({ author }) => author);
    expect(authors.slice(0, 2)).toEqual(["robot", "Ann"]);
  });
});
