import { type Connection, connect } from "@foundry-mcp/toolkit/client";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { specOf } from "../specs/workspace.ts";
import { callTool, type Data } from "./call-tool.ts";
import { type DatabaseWorkspace, openDatabaseWorkspace, turnOf } from "./database-workspace.ts";
import { createTestDatabase, describeConcurrent, type TestDatabase } from "./test-databases.ts";

const counterOf = ({ revision }: Data): number => Number.parseInt(String(revision), 10);

const deeds = ["claim", "start", "complete", "note"] as const;
const steps = 40;

/** Reads everything about a task and its spec. */
async function readAll(reader: Connection, task_id: string) {
  const spec_id = "seen";
  const [info, next, query, list, whole, journal] = await Promise.all([
    callTool(reader, "task", { action: "info", spec_id, task_id }),
    callTool(reader, "task", { action: "next", spec_id }),
    callTool(reader, "task", { action: "query", spec_id, status: "completed" }),
    callTool(reader, "spec", { action: "list" }),
    callTool(reader, "spec", { action: "get", spec_id, max_tokens: 0 }),
    callTool(reader, "journal", { action: "list", spec_id, limit: 1 }),
  ]);
  const hierarchy = whole["hierarchy"] as Record<string, { status: string }>;
  const rows = list["specs"] as readonly { id: string; revision: string; progress: { completed: number } }[];
  const row = rows.find(({ id }) => id === spec_id);
  const all = [info, next, query, whole, journal, { revision: row?.revision }];
  return {
    revisions: all.map(({ revision }) => revision),
    statuses: [(info["task"] as { status: string }).status, hierarchy[task_id]?.status],
    completed: [row?.progress.completed, query["filtered_count"]],
    next: next["task_id"],
    newest: (journal["entries"] as readonly { title: string }[])[0]?.title,
  };
}

describeConcurrent("a change through one server", () => {
  let database: TestDatabase;
  beforeAll(async () => {
    database = await createTestDatabase();
  });
  afterAll(() => database.close());

  describe.each([2, 4])("of %i on one database", (count) => {
    let workspace: DatabaseWorkspace;
    let all: readonly Connection[];
    beforeAll(async () => {
      workspace = await openDatabaseWorkspace(database.url, { workspace: `of-${count}` });
      const servers = await workspace.openServers(count);
      all = await Promise.all(servers.map(({ url }) => connect(url)));
    });
    afterAll(async () => {
      await Promise.all(all.map((each) => each.close()));
      await workspace.close();
    });

    it("is told by the next read through any other", async () => {
      await workspace.add(specOf("seen", { tasks: steps / deeds.length + 1 }));
      let [reads, revision, token, newest] = [0, "", "", undefined as string | undefined];
      for (let step = 0; step < steps; step++) {
        const number = Math.floor(step / deeds.length) + 1;
        const about = { spec_id: "seen", task_id: `task-1-${number}` };
        const deed = turnOf(deeds, step);
        const writer = turnOf(all, step);
        const made =
          deed === "note"
            ? await callTool(writer, "journal", {
                action: "add",
                ...about,
                title: `${step}`,
                content: "Done",
              })
            : await callTool(writer, "task", {
                action: deed,
                ...about,
                ...(token && { claim_token: token }),
              });
        if (deed === "claim") token = String(made["claim_token"]);
        if (deed === "start") newest = "Status changed to in_progress";
        if (deed === "complete") [token, newest] = ["", `Task Completed: Do ${about.task_id}`];
        if (deed === "note") newest = `${step}`;
        // A lease is not a part of the spec's text.
        if (deed === "claim" && step > 0) expect(made["revision"]).toBe(revision);
        revision = String(made["revision"]);
        const status = deed === "claim" ? "pending" : deed === "start" ? "in_progress" : "completed";
        const completed = status === "completed" ? number : number - 1;
        const others = all.filter((each) => each !== writer);
        const seen = await Promise.all(others.map((reader) => readAll(reader, about.task_id)));
        reads += 6 * seen.length;
        expect(seen, `${deed} of ${about.task_id}`).toEqual(
          Array(count - 1).fill({
            revisions: Array(6).fill(revision),
            statuses: [status, status],
            completed: [completed, completed],
            // `next` does not return a task that is claimed or completed.
            next: `task-1-${number + 1}`,
            newest,
          }),
        );
      }
      process.stdout.write(
        `${reads} reads right after ${steps} changes through another of ${count} servers on PostgreSQL: all told of it\n`,
      );
    }, 300_000);

    it("is never taken back by a later read, while all of them write", async () => {
      await workspace.add(specOf("busy"));
      let [acknowledged, writing, reads] = [1, count, 0];
      const write = async (connection: Connection, writer: number) => {
        for (let turn = 0; turn < 120 / count; turn++) {
          const entry = { title: `${writer}`, content: `${turn}` };
          const made = await callTool(connection, "journal", { action: "add", spec_id: "busy", ...entry });
          acknowledged = Math.max(acknowledged, counterOf(made));
        }
        writing -= 1;
      };
      const read = async (from: number) => {
        const asked = { action: "info", spec_id: "busy", task_id: "task-1-1" };
        for (let turn = from; writing > 0; turn++) {
          const known = acknowledged;
          expect(counterOf(await callTool(turnOf(all, turn), "task", asked))).toBeGreaterThanOrEqual(known);
          reads += 1;
        }
      };
      await Promise.all([...all.map(write), ...all.map((_, from) => read(from))]);
      process.stdout.write(
        `${reads} reads during 120 changes through ${count} servers on PostgreSQL: none older than what was acknowledged\n`,
      );
      expect(acknowledged).toBe(121);
      expect(reads).toBeGreaterThan(50);
      const { journal } = JSON.parse(Buffer.from(await workspace.store.readText("busy")).toString());
      expect(new Set((journal as Data[]).map(({ title, content }) => `${title} ${content}`)).size).toBe(120);
    }, 300_000);
  });
});
