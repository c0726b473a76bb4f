import { mkdir, mkdtemp, readdir, rm, stat, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { openWorkspace } from "#built/foundry/app/open-workspace.js";
import { loadSettings } from "#built/foundry/config/load-settings.js";
import { createTestDatabase, type TestDatabase } from "../postgres/test-databases.ts";
import { sampleJob } from "./sample-job.ts";

let home: string;
let project: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "foundry-jobs-"));
  project = join(home, "project");
  await mkdir(join(project, "specs"), { recursive: true });
  vi.stubEnv("XDG_STATE_HOME", join(home, "state"));
  vi.stubEnv("XDG_CONFIG_HOME", join(home, "config"));
});
afterEach(async () => {
  vi.unstubAllEnvs();
  await rm(home, { recursive: true, force: true });
});

const open = (options: Readonly<Record<string, string>> = {}, cwd = project) =>
  openWorkspace(() => loadSettings({ options, env: process.env, cwd }), cwd);
const notFound = { options: { errorCode: "JOB_NOT_FOUND" } };
const unknown = `job_${"0".repeat(32)}`;

describe("the jobs of a workspace in files", () => {
  it("are in the state folder of the user, and no read creates it", async () => {
    const [one, two] = [open(), open()];
    await expect(one.jobs.get("ann", unknown)).rejects.toMatchObject(notFound);
    expect([await one.jobs.list("ann"), await one.jobs.runnable(), await one.jobs.sweep()]).toEqual([
      [],
      [],
      0,
    ]);
    expect(await readdir(home)).toEqual(["project"]);
    const { job } = await one.jobs.create(sampleJob, "one");
    expect(await two.jobs.get("ann", job.id)).toEqual(job);
    const [name = "", ...others] = await readdir(join(home, "state", "foundry-mcp", "jobs"));
    expect([name, others]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), []]);
    expect(await readdir(join(home, "state", "foundry-mcp", "jobs", name))).toEqual([`${job.id}.json`]);
    expect(await readdir(join(project, "specs"))).toEqual([]);
    await one.close();
    await two.close();
  });

  it("are the same on every way to the specs, and others for another workspace", async () => {
    await symlink(project, join(home, "link"));
    await mkdir(join(home, "other", "specs"), { recursive: true });
    const jobs_dir = join(home, "named");
    const workspaces = [project, join(home, "link"), join(home, "other")].map((cwd) =>
      open({ jobs_dir }, cwd),
    );
    const [direct, linked, other] = workspaces;
    const { job } = await direct!.jobs.create(sampleJob, "one");
    expect(await linked!.jobs.list("ann")).toEqual([job]);
    expect(await other!.jobs.list("ann")).toEqual([]);
    expect((await stat(jobs_dir)).isDirectory()).toBe(true);
    for (const workspace of workspaces) await workspace.close();
  });

  it("are not where a foundry.toml of the workspace says", async () => {
    await writeFile(join(project, "foundry.toml"), 'jobs_dir = "mine"\n');
    const workspace = open();
    await workspace.jobs.create(sampleJob, "one");
    expect(await readdir(project)).toEqual(["foundry.toml", "specs"]);
    expect(await readdir(home)).toEqual(["project", "state"]);
    await workspace.close();
  });

  it("archive a result that is too large", async () => {
    const workspace = open();
    const { job, lease } = await workspace.jobs.create(sampleJob, "one");
    const result = { content: [{ type: "text", text: "y".repeat(2 ** 20) }] };
    expect((await workspace.jobs.finish(lease, { result }))?.archived).toEqual({
      archiveId: expect.stringMatching(/^arc_/),
    });
    expect((await open().jobs.get("ann", job.id)).result).toEqual(result);
    await workspace.close();
  });
});

it("without a workspace, jobs are in memory, and a workspace that is created later hides none", async () => {
  await rm(join(project, "specs"), { recursive: true });
  const workspace = open();
  expect(await workspace.jobs.list("ann")).toEqual([]);
  const { job, lease } = await workspace.jobs.create(sampleJob, "one");
  await mkdir(join(project, "specs"));
  expect((await workspace.jobs.finish(lease, { result: {} }))?.status).toBe("completed");
  expect((await workspace.jobs.list("ann")).map(({ id }) => id)).toEqual([job.id]);
  expect(await readdir(home)).toEqual(["project"]);
  await workspace.close();
});

describe("the jobs of a workspace in PostgreSQL", () => {
  let database: TestDatabase;
  beforeEach(async () => {
    database = await createTestDatabase();
    vi.stubEnv("DATABASE_URL", database.url);
    vi.stubEnv("FOUNDRY_STORE_POOL", database.isConcurrent ? "2" : "1");
  });
  afterEach(() => database.close());

  it("are in the database, which no read sets up", async () => {
    // The test uses one connection, so that it also runs on an engine with only one connection.
    const options = { store: "postgres" };
    const openOne = () =>
      openWorkspace(() => loadSettings({ options, env: process.env, cwd: project }), project, {
        isOneShot: true,
      });
    const workspace = openOne();
    await expect(workspace.jobs.list("ann")).rejects.toMatchObject({
      message: expect.stringMatching(/^Cannot read specs in the database \S+: it has no schema of Foundry$/),
    });
    const { job } = await workspace.jobs.create(sampleJob, "one");
    await workspace.close();
    const next = openOne();
    expect(await next.jobs.list("ann")).toEqual([job]);
    await next.close();
    expect(await readdir(home)).toEqual(["project"]);
  });
});
