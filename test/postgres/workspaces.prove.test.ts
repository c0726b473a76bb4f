import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, expect, it } from "vitest";
import { specOf } from "../specs/workspace.ts";
import { callTool, type Data } from "./call-tool.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

interface Place extends DatabaseWorkspace {
  readonly name: string;
  readonly url: string;
  readonly connections: readonly Connection[];
  /** Calls the servers of the workspace in turn. */
  ask(tool: string, args: Data): Promise<Data>;
  /** Returns the error code of a refused call. */
  refusal(tool: string, args: Data): Promise<unknown>;
}

async function openPlace(url: string, name: string): Promise<Place> {
  const workspace = await openDatabaseWorkspace(url, { workspace: name });
  const servers = await workspace.openServers(2);
  const connections = await Promise.all(servers.map((server) => connect(server.url)));
  let calls = 0;
  return {
    ...{ ...workspace, name, connections, url: turnOf(servers, 0).url },
    ask: (tool, args) => callTool(turnOf(connections, calls++), tool, args),
    async refusal(tool, args) {
      const { success, data } = await turnOf(connections, calls++).callTool(tool, args);
      return success ? "nothing" : data["error_code"];
    },
    async close() {
      await Promise.all(connections.map((each) => each.close()));
      await workspace.close();
    },
  };
}

const textOf = async ({ store }: Place, id: string) => Buffer.from(await store.readText(id)).toString();

describeConcurrent("two workspaces in one database, with two servers each", () => {
  let database: TestDatabase;
  let one: Place;
  let two: Place;
  beforeAll(async () => {
    database = await createTestDatabase();
    one = await openPlace(database.url, "one");
    two = await openPlace(database.url, "two");
  });
  afterAll(async () => {
    await one.close();
    await two.close();
    await database.close();
  });

  it("have specs of the same id, and each lists and finds its own", async () => {
    for (const place of [one, two])
      await place.add(specOf("same", { title: `Of ${place.name}`, tasks: 120 }));
    await one.add(specOf("alone"));
    const rowsOf = async (place: Place) =>
      ((await place.ask("spec", { action: "list" }))["specs"] as Data[]).map(({ id, title }) => [id, title]);
    expect((await rowsOf(one)).toSorted()).toEqual([
      ["alone", "Sample alone"],
      ["same", "Of one"],
    ]);
    expect(await rowsOf(two)).toEqual([["same", "Of two"]]);
    for (const action of ["get", "history"])
      expect(await two.refusal("spec", { action, spec_id: "alone" })).toBe("SPEC_NOT_FOUND");
    expect(await two.ask("spec", { action: "find", spec_id: "alone" })).toMatchObject({ found: false });
    const change = { action: "complete", spec_id: "alone", task_id: "task-1-1" };
    expect(await two.refusal("task", change)).toBe("SPEC_NOT_FOUND");
    const { data } = await two.cli("specs", "find");
    expect((data["specs"] as Data[]).map(({ id }) => id)).toEqual(["same"]);
  });

  it("change, claim and answer again by themselves", async () => {
    const before = await textOf(two, "same");
    const made = await one.ask("task", { action: "complete", spec_id: "same", task_id: "task-1-120" });
    expect(made["revision"]).toMatch(/^2-/);
    expect(await textOf(two, "same")).toBe(before);
    const historyOf = async (place: Place) =>
      ((await place.ask("spec", { action: "history", spec_id: "same" }))["entries"] as Data[]).map(
        ({ action }) => action,
      );
    expect(await historyOf(one)).toEqual(["task complete", expect.any(String)]);
    expect(await historyOf(two)).toHaveLength(1);
    const past = { action: "diff", spec_id: "same", from_revision: made["revision"] };
    expect(await two.refusal("spec", past)).toBe("NOT_FOUND");

    const about = { spec_id: "same", task_id: "task-1-1" };
    const claim = { action: "claim", ...about, holder: "me", idempotency_key: "the-same-key" };
    const [first, second] = [await one.ask("task", claim), await two.ask("task", claim)];
    expect(second["claim_token"]).not.toBe(first["claim_token"]);
    expect(await one.ask("task", claim)).toMatchObject({ claim_token: first["claim_token"] });
    const release = { action: "release", ...about, claim_token: first["claim_token"] };
    expect(await two.refusal("task", release)).toBe("CONFLICT");
    expect(await one.ask("task", release)).toMatchObject({ released: true });
    expect((await one.store.leases("same")).size).toBe(0);
    expect([...(await two.store.leases("same")).keys()]).toEqual(["task-1-1"]);
  });

  it("keep to themselves what answers left out", async () => {
    const envelope = await turnOf(one.connections, 0).callTool("spec", {
      ...{ action: "get", spec_id: "same", max_tokens: 2_000 },
    });
    const [[archive_id, hash] = []] = Object.entries(
      envelope.meta["content_archive_hashes"] as Record<string, string>,
    );
    const listOf = async (place: Place) =>
      ((await place.ask("content", { action: "list" }))["entries"] as Data[]).map(
        (entry) => entry["archive_id"],
      );
    expect(await listOf(one)).toEqual([archive_id]);
    expect(await listOf(two)).toEqual([]);
    // Every server of the workspace finds the spec.
    for (const connection of one.connections)
      expect(await callTool(connection, "content", { action: "stat", archive_id })).toMatchObject({ hash });
    for (const key of [{ archive_id }, { hash }])
      expect(await two.refusal("content", { action: "stat", ...key })).toBe("CONTENT_NOT_FOUND");
  });

  it("wake nobody in the other one", async () => {
    const client = new Client({ name: "subscriber", version: "1.0.0" });
    await client.connect(new StreamableHTTPClientTransport(new URL(two.url)));
    let heard = 0;
    const told = new Promise<void>((resolve) => {
      client.setNotificationHandler("notifications/resources/updated", () => {
        heard += 1;
        resolve();
      });
    });
    await client.subscribeResource({ uri: "foundry://specs/same" });
    const waiting = two.ask("task", {
      ...{ action: "wait", spec_id: "same", for: "change", timeout_seconds: 1 },
    });
    for (let task = 2; task <= 6; task++)
      await one.ask("task", { action: "complete", spec_id: "same", task_id: `task-1-${task}` });
    expect(await waiting).toMatchObject({ changed: false, timed_out: true });
    // Changes of the other workspace have caused no notification.
    expect(heard).toBe(0);
    await two.ask("task", { action: "complete", spec_id: "same", task_id: "task-1-2" });
    await told;
    expect(heard).toBe(1);
    await client.close();
  });

  it("do not meet in 200 changes of two specs of one name at once", async () => {
    const changes = 100;
    for (const place of [one, two]) await place.add(specOf("busy"));
    const write = async (place: Place, writer: number) => {
      for (let turn = 0; turn < changes / 4; turn++) {
        const content = `${writer} ${turn}`;
        await place.ask("journal", { action: "add", spec_id: "busy", title: place.name, content });
      }
    };
    await Promise.all([one, two].flatMap((place) => [0, 1, 2, 3].map((writer) => write(place, writer))));
    for (const place of [one, two]) {
      const { journal } = JSON.parse(await textOf(place, "busy")) as { journal: Data[] };
      expect(new Set(journal.map(({ title }) => title))).toEqual(new Set([place.name]));
      expect(new Set(journal.map(({ content }) => content)).size).toBe(changes);
      expect((await place.store.read("busy")).revision).toMatch(/^101-/);
    }
    process.stdout.write(
      `${2 * changes} changes of one spec id in two workspaces of a PostgreSQL: ${changes} and ${changes} kept apart\n`,
    );
  }, 300_000);
});
