import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { specOf } from "../specs/workspace.ts";
import { callTool, settle } from "./call-tool.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

// A waiting call also polls every 30 seconds. This number of rounds fits into the time of the test only if
// notifications wake the calls.
const rounds = 12;
const mostMs = 200_000;

describeConcurrent("whoever waits at one server", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  describe.each([2, 4])("of %i on one database", (count) => {
    let workspace: DatabaseWorkspace;
    let urls: readonly string[];
    let all: readonly Connection[];
    const othersThan = (one: Connection) => all.filter((each) => each !== one);
    beforeAll(async () => {
      workspace = await openDatabaseWorkspace(database.url, { workspace: `of-${count}` });
      urls = (await workspace.openServers(count)).map(({ url }) => url);
      all = await Promise.all(urls.map((url) => connect(url)));
    });
    afterAll(async () => {
      await Promise.all(all.map((each) => each.close()));
      await workspace.close();
    });

    it(
      "hears of a change through another",
      async () => {
        await workspace.add(specOf("waited", { tasks: rounds + 1 }));
        let { revision } = await workspace.store.read("waited");
        let woken = 0;
        for (let round = 0; round < rounds; round++) {
          const writer = turnOf(all, round);
          const asked = { spec_id: "waited", for: "change", since: revision, timeout_seconds: 50 };
          const waiting = othersThan(writer).map((each) =>
            callTool(each, "task", { action: "wait", ...asked }),
          );
          await settle(othersThan(writer));
          const about = { spec_id: "waited", task_id: `task-1-${round + 1}` };
          revision = String((await callTool(writer, "task", { action: "complete", ...about }))["revision"]);
          const told = { spec_id: "waited", changed: true, timed_out: false, revision };
          for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(told);
          woken += waiting.length;
        }
        process.stdout.write(
          `${woken} waits woken by changes through another of ${count} servers on PostgreSQL\n`,
        );
      },
      mostMs,
    );

    it(
      "hears that a task is given back through another",
      async () => {
        await workspace.add(specOf("held", { tasks: 1 }));
        const about = { spec_id: "held", task_id: "task-1-1" };
        let woken = 0;
        for (let round = 0; round < rounds; round++) {
          const holder = turnOf(all, round);
          const { claim_token } = await callTool(holder, "task", { action: "claim", ...about });
          const waiting = othersThan(holder).map((each) =>
            callTool(each, "task", { action: "wait", spec_id: "held", timeout_seconds: 50 }),
          );
          await settle(othersThan(holder));
          await callTool(holder, "task", { action: "release", ...about, claim_token });
          const told = { ready: true, changed: false, timed_out: false, task_id: "task-1-1" };
          for (const answer of await Promise.all(waiting)) expect(answer).toMatchObject(told);
          woken += waiting.length;
        }
        process.stdout.write(
          `${woken} waits woken by releases through another of ${count} servers on PostgreSQL\n`,
        );
      },
      mostMs,
    );

    it("hears of a spec that it subscribed to, and of no other", async () => {
      await workspace.add(specOf("told", { tasks: rounds }));
      await workspace.add(specOf("untold"));
      const subscribers = await Promise.all(
        urls.slice(1).map(async (url) => {
          const client = new Client({ name: "subscriber", version: "1.0.0" });
          await client.connect(new StreamableHTTPClientTransport(new URL(url)));
          const heard: string[] = [];
          let tell = () => {};
          client.setNotificationHandler("notifications/resources/updated", ({ params }) => {
            heard.push(params.uri);
            tell();
          });
          await client.subscribeResource({ uri: "foundry://specs/told" });
          const next = () =>
            new Promise<void>((resolve) => {
              tell = resolve;
            });
          return { client, heard, next };
        }),
      );
      const complete = (spec_id: string, task_id: string) =>
        callTool(turnOf(all, 0), "task", { action: "complete", spec_id, task_id });
      for (let round = 1; round <= rounds; round++) {
        if (round <= 3) await complete("untold", `task-1-${round}`);
        const heard = subscribers.map(({ next }) => next());
        await complete("told", `task-1-${round}`);
        await Promise.all(heard);
      }
      const told = Array(rounds).fill("foundry://specs/told");
      expect(subscribers.map(({ heard }) => heard)).toEqual(subscribers.map(() => told));
      await Promise.all(subscribers.map(({ client }) => client.close()));
      process.stdout.write(
        `${rounds * subscribers.length} notices of changes through another of ${count} servers on PostgreSQL\n`,
      );
    }, 200_000);
  });
});
