import { randomUUID } from "node:crypto";
import { createJobStore } from "@foundry-mcp/toolkit/jobs";
import { afterAll, describe, expect } from "vitest";
import { createPostgresJobStorage } from "#built/foundry/jobs/postgres-job-storage.js";
import { type Database, openDatabase, type Statement } from "#built/foundry/postgres/database.js";
import { migrate } from "#built/foundry/postgres/migrate.js";
import { addWorkspace } from "#built/foundry/postgres/workspaces.js";
import { createTestDatabase, itConcurrent } from "../postgres/test-databases.ts";
import { describeJobStore } from "./job-store-suite.ts";
import { sampleJob } from "./sample-job.ts";

const { url, isConcurrent, close } = await createTestDatabase();
const open = () => openDatabase({ url, poolSize: isConcurrent ? 4 : 1 });
const first = await open();
// PGlite has only one connection, so both clients are the same.
const second = isConcurrent ? await open() : first;
await migrate(first);
afterAll(async () => {
  await first.close();
  await second.close();
  await close();
});
const createWorkspace = () => addWorkspace(first, randomUUID());

describeJobStore("jobs in PostgreSQL", async () => {
  const workspace = await createWorkspace();
  const listens = isConcurrent;
  return [
    createPostgresJobStorage(first, workspace, { listens }),
    createPostgresJobStorage(second, workspace, { listens }),
  ];
});

/** A database that repeats every statement, as after a connection that was lost before the answer arrived. */
const repeating = Object.assign(Object.create(first) as Database, {
  query: async <R>(operation: string, statement: Statement) => {
    await first.query(operation, statement);
    return first.query<R>(operation, statement);
  },
});

describeJobStore("jobs in PostgreSQL whose statements are repeated", async () => {
  const workspace = await createWorkspace();
  const options = { listens: false };
  return [
    createPostgresJobStorage(repeating, workspace, options),
    createPostgresJobStorage(repeating, workspace, options),
  ];
});

describe("jobs in PostgreSQL", () => {
  itConcurrent("are reported to another server", async () => {
    const workspace = await createWorkspace();
    const [one, two] = [first, second].map((database) =>
      createJobStore(createPostgresJobStorage(database, workspace)),
    );
    const seen: string[] = [];
    two!.onChange((id) => void seen.push(id));
    const { job, lease } = await one!.create(sampleJob, "one");
    // The listener connects in the background.
    await expect
      .poll(async () => {
        await one!.report(lease, `at ${performance.now()}`);
        return new Set(seen);
      })
      .toEqual(new Set([job.id]));
    await one!.close();
    await two!.close();
  });
});
