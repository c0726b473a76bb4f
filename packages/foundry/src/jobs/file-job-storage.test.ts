import { execFileSync, spawnSync } from "node:child_process";
import { mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { createJobStore, type Job, type NewJob } from "@foundry-mcp/toolkit/jobs";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { temporaryPath } from "../files/durable/temporary-files.ts";
import { toDeadLock } from "../files/lock/testing/owners.ts";
import { createFileJobStorage } from "./file-job-storage.ts";
import { maxJobBytes } from "./stored-job.ts";

let root: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-jobs-"));
});
afterEach(() => rm(root, { recursive: true, force: true }));

const given: NewJob = {
  principal: "ann",
  call: {
    tool: "work",
    action: "run",
    args: { __proto__: null, size: 3 },
    requestId: "req_1",
    surface: "stdio",
    client: { name: "tester", version: "1" },
    dialect: "response-v2",
  },
  isRepeatable: true,
};
const unknown = `job_${"0".repeat(32)}`;
const open = (name = "place") => createFileJobStorage({ root, name });
const at = (...names: readonly string[]) => join(root, "place", ...names);
const namesIn = (...names: readonly string[]) => readdir(at(...names)).then((found) => found.toSorted());
const create = async (): Promise<Job> => (await createJobStore(open()).create(given, "one")).job;

describe("a storage of jobs in files", () => {
  it("creates nothing for reads, and for changes of jobs that do not exist", async () => {
    const folder = join(root, "missing");
    const storage = createFileJobStorage({ root: folder, name: "place" });
    const { job } = await createJobStore(open()).create(given, "one");
    expect(await storage.list({})).toEqual([]);
    expect(await storage.read(unknown)).toBeUndefined();
    expect(await storage.replace({ ...job, id: unknown }, 1)).toBe(false);
    await storage.delete(unknown);
    expect(await readdir(root)).toEqual(["place"]);
    expect(await open().replace({ ...job, id: unknown }, 1)).toBe(false);
    await open().delete(unknown);
    expect(await namesIn()).toEqual([`${job.id}.json`]);
  });

  it.skipIf(process.platform === "win32")("lets only its user read jobs", async () => {
    const nested = join(root, "state", "jobs");
    const storage = createFileJobStorage({ root: nested, name: "place" });
    await createJobStore(storage).create(given, "one");
    const modeOf = async (path: string) => ((await stat(path)).mode & 0o777).toString(8);
    expect([await modeOf(nested), await modeOf(join(nested, "place"))]).toEqual(["700", "700"]);
  });

  it("removes only files whose names it creates", async () => {
    const { id } = await create();
    const others = ["notes.json", "job_1.json", `${unknown}.json.bak`, `${unknown}.txt`];
    for (const name of others) await writeFile(at(name), "mine");
    await mkdir(at(`${unknown}.json`));
    const storage = open();
    await expect(storage.delete(unknown)).rejects.toMatchObject({ name: "ContractError" });
    for (const each of [id, "../place/notes", "notes", ""]) await storage.delete(each);
    expect(await namesIn()).toEqual([`${unknown}.json`, ...others, "locks"].toSorted());
    expect(await namesIn("locks")).toEqual([]);
  });

  it("removes the temporary files and the locks of dead processes", async () => {
    const { id } = await create();
    const name = basename(await temporaryPath(at(`${id}.json`)));
    const { pid } = spawnSync("true");
    await mkdir(at("locks"));
    await writeFile(at("locks", `${unknown}.lock`), (await toDeadLock()).text);
    await writeFile(at(name), "of this process");
    await writeFile(at(name.replace(`-${process.pid}-`, `-${pid}-`)), "of a dead process");
    const { id: next } = await create();
    expect(await namesIn()).toEqual([`${id}.json`, `${next}.json`, "locks", name].toSorted());
    expect(await namesIn("locks")).toEqual([]);
  });

  it("takes over the lock of a process that died while it changed the job", async () => {
    const job = await create();
    await mkdir(at("locks"));
    await writeFile(at("locks", `${job.id}.lock`), (await toDeadLock()).text);
    expect(await open().replace({ ...job, version: 2 }, 1)).toBe(true);
    expect(await open().read(job.id)).toEqual({ ...job, version: 2 });
  });
});

/** Contents of a job file that no store has written, each with the reason of the failure. */
const damages: Readonly<Record<string, readonly [string | ((job: Job) => unknown), string]>> = {
  "an empty file": ["", "it is not JSON"],
  "half a file": ['{"id":"job_', "it is not JSON"],
  "another value": ["[]", "the whole is not valid"],
  "deep nesting": [`${"[".repeat(5_000)}${"]".repeat(5_000)}`, "it nests too deeply"],
  "another job": [(job) => ({ ...job, id: unknown }), "it is another job"],
  "a state that does not exist": [(job) => ({ ...job, status: "done" }), "status is not valid"],
  "a token that is no number": [(job) => ({ ...job, token: "1" }), "token is not valid"],
  "a lease without a time": [(job) => ({ ...job, lease: { owner: "x" } }), "lease.expiresAt is not valid"],
  "arguments that are no object": [
    (job) => ({ ...job, call: { ...job.call, args: 1 } }),
    "call.args is not valid",
  ],
};

describe("a damaged job file", () => {
  it.each(Object.entries(damages))(
    "with %s is refused, and hides no other job",
    async (_name, [content, why]) => {
      const [kept, damaged] = [await create(), await create()];
      const text = typeof content === "string" ? content : JSON.stringify(content(damaged));
      await writeFile(at(`${damaged.id}.json`), text);
      const failure = {
        code: "INVALID_FORMAT",
        message: `Cannot read the job ${damaged.id}: its stored form is damaged: ${why}`,
        options: { details: { resource_type: "job", resource_id: damaged.id } },
      };
      const storage = open();
      await expect(storage.read(damaged.id)).rejects.toMatchObject(failure);
      await expect(storage.replace(damaged, 1)).rejects.toMatchObject(failure);
      await expect(createJobStore(storage).get("ann", damaged.id)).rejects.toMatchObject(failure);
      expect(await storage.list({ principal: "ann" })).toEqual([kept]);
      expect(await readFile(at(`${damaged.id}.json`), "utf8")).toBe(text);
      await storage.delete(damaged.id);
      expect(await namesIn()).toEqual([`${kept.id}.json`, "locks"]);
    },
  );

  it.skipIf(process.platform === "win32")("that is a link, a pipe or a folder is refused", async () => {
    const kept = await create();
    const [link, pipe, folder] = ["a", "b", "c"].map((digit) => `job_${digit.repeat(32)}`);
    await symlink(at(`${kept.id}.json`), at(`${link}.json`));
    execFileSync("mkfifo", [at(`${pipe}.json`)]);
    await mkdir(at(`${folder}.json`));
    const storage = open();
    for (const id of [link, pipe, folder]) {
      await expect(storage.read(id!)).rejects.toMatchObject({ code: "INVALID_PATH" });
      await expect(storage.replace({ ...kept, id: id! }, 1)).rejects.toMatchObject({ code: "INVALID_PATH" });
    }
    expect(await storage.list({})).toEqual([kept]);
  });

  it("that is too large is not read", async () => {
    const [kept, large] = [await create(), await create()];
    await truncate(at(`${large.id}.json`), maxJobBytes + 1);
    const storage = open();
    await expect(storage.read(large.id)).rejects.toMatchObject({ code: "CONTENT_TOO_LARGE" });
    expect(await storage.list({})).toEqual([kept]);
  });

  it.skipIf(process.platform === "win32")(
    "cannot lead elsewhere: a folder that is a link is refused",
    async () => {
      const elsewhere = await mkdtemp(join(tmpdir(), "foundry-elsewhere-"));
      await symlink(elsewhere, at());
      const storage = open();
      const refusal = { code: "INVALID_PATH" };
      await expect(storage.list({})).rejects.toMatchObject(refusal);
      await expect(storage.read(unknown)).rejects.toMatchObject(refusal);
      await expect(createJobStore(storage).create(given, "one")).rejects.toMatchObject(refusal);
      expect(await readdir(elsewhere)).toEqual([]);
      await rm(elsewhere, { recursive: true });
    },
  );
});
