import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll } from "vitest";
import { createFileJobStorage } from "#built/foundry/jobs/file-job-storage.js";
import { describeJobStore } from "./job-store-suite.ts";

let root: string;
beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-jobs-"));
});
afterAll(() => rm(root, { recursive: true, force: true }));

let places = 0;
describeJobStore("jobs in files", async () => {
  const place = { root, name: `place-${++places}` };
  return [createFileJobStorage(place), createFileJobStorage(place)];
});
