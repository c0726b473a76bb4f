import { execFile } from "node:child_process";
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const program = fileURLToPath(new URL("../../packages/foundry/bin/foundry-cli.cjs", import.meta.url));

let [root, repository, id] = ["", "", ""];

interface Ended {
  readonly code: number;
  readonly output: string;
}

function run(name: string, args: readonly string[], cwd = repository): Promise<Ended> {
  const env = {
    PATH: `${join(root, "bin")}:${process.env["PATH"]}`,
    HOME: root,
    GIT_CONFIG_NOSYSTEM: "1",
    GIT_EDITOR: "true",
  };
  return new Promise((resolve) => {
    execFile(name, [...args], { cwd, env, encoding: "utf8" }, (error, stdout, stderr) =>
      resolve({ code: error === null ? 0 : Number(error.code), output: stdout + stderr }),
    );
  });
}

async function git(...args: readonly string[]): Promise<string> {
  const { code, output } = await run("git", args);
  expect(`${code} ${output}`).toMatch(/^0 /);
  return output;
}

async function cli(args: readonly string[], cwd = repository): Promise<Readonly<Record<string, unknown>>> {
  const { code, output } = await run("foundry-cli", args, cwd);
  expect(`${code} ${output}`).toMatch(/^0 /);
  return (JSON.parse(output) as { data: Record<string, unknown> }).data;
}

const specFile = (at = repository) => join(at, "specs", "active", `${id}.json`);
const commit = (subject: string) => git("commit", "-qam", subject);
const statuses = async (cwd = repository) => {
  const { tasks } = (await cli(["tasks", "query", id], cwd)) as {
    tasks: { task_id: string; title: string; status: string }[];
  };
  return tasks.map(({ task_id, title, status }) => `${task_id} ${title}: ${status}`);
};

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), "foundry-git-merge-"));
  repository = join(root, "repository");
  await mkdir(join(root, "bin"));
  await mkdir(repository);
  await writeFile(join(root, "bin", "foundry-cli"), `#!/bin/sh\nexec ${process.execPath} ${program} "$@"\n`);
  await chmod(join(root, "bin", "foundry-cli"), 0o755);
  await writeFile(join(root, ".gitconfig"), "[user]\n\tname = Ann\n\temail = ann@example.com\n");
  await git("init", "-qb", "main");
  await cli(["init", "--git"]);
  const [name = ""] = await readdir(join(repository, "specs", "active"));
  id = name.replace(".json", "");
  await git("add", "-A");
  await git("commit", "-qm", "Begin");
}, 60_000);

afterEach(async () => {
  await rm(root, { recursive: true, force: true });
});

describe("git with the merge driver", { timeout: 120_000 }, () => {
  it("commits no state, history or locks", async () => {
    expect((await git("ls-files")).trim().split("\n")).toEqual([
      ".gitattributes",
      ".mcp.json",
      `specs/active/${id}.json`,
    ]);
    expect(await git("status", "--short", "--ignored")).toBe("!! specs/.foundry/\n");
  });

  it("merges branches that complete, add, move and edit", async () => {
    await git("checkout", "-qb", "side");
    await cli(["tasks", "complete", id, "task-1-1", "--note", "side"]);
    await cli(["tasks", "add", id, "--parent", "phase-1", "--title", "Added by side"]);
    await cli(["tasks", "update", id, "task-2-1", "--title", "Edited by side"]);
    await commit("Side");
    await git("checkout", "-q", "main");
    await cli(["tasks", "complete", id, "task-1-2", "--note", "main"]);
    await cli(["tasks", "add", id, "--parent", "phase-1", "--title", "Added by main"]);
    await cli(["tasks", "move", id, "task-2-1", "--position", "1"]);
    await commit("Main");
    await git("merge", "-q", "--no-edit", "side");
    expect(await statuses()).toEqual([
      "task-1-1 List the specs: completed",
      "task-1-2 See what is next: completed",
      "task-1-4 Added by main: pending",
      "task-1-3 Added by side: pending",
      "verify-2-1 Check the spec: pending",
      "task-2-1 Edited by side: pending",
    ]);
    expect(await cli(["validate", "check", id])).toMatchObject({ is_valid: true, error_count: 0 });
    expect(await cli(["tasks", "progress", id])).toMatchObject({ completed_tasks: 2, total_tasks: 6 });
  });

  it("rebases commit by commit", async () => {
    await git("checkout", "-qb", "side");
    for (const task of ["task-1-1", "task-1-2"]) {
      await cli(["tasks", "complete", id, task]);
      await commit(`Complete ${task}`);
    }
    await git("checkout", "-q", "main");
    await cli(["tasks", "add", id, "--parent", "phase-2", "--title", "Added by main"]);
    await commit("Add a task");
    await git("rebase", "-q", "main", "side");
    expect(await cli(["tasks", "progress", id])).toMatchObject({ completed_tasks: 2, total_tasks: 5 });
    expect(await cli(["validate", "check", id])).toMatchObject({ error_count: 0 });
  });

  it("leaves markers where both sides gave a task a title, and names their lines", async () => {
    await git("checkout", "-qb", "side");
    await cli(["tasks", "update", id, "task-1-1", "--title", "Side"]);
    await commit("Side");
    await git("checkout", "-q", "main");
    await cli(["tasks", "update", id, "task-1-1", "--title", "Main"]);
    await commit("Main");
    const merge = await run("git", ["merge", "-q", "--no-edit", "side"]);
    expect(merge.code).toBe(1);
    expect(merge.output).toContain(
      `Cannot merge specs/active/${id}.json: both sides changed hierarchy.task-1-1.title`,
    );
    const text = await readFile(specFile(), "utf8");
    const at = text.split("\n").indexOf("<<<<<<< ours") + 1;
    expect(text).toContain(
      '<<<<<<< ours\n      "title": "Main",\n=======\n      "title": "Side",\n>>>>>>> theirs\n',
    );
    const read = await run("foundry-cli", ["tasks", "query", id]);
    expect(read.code).toBe(1);
    expect(JSON.parse(read.output)).toMatchObject({
      error: `Cannot read the spec "active/${id}.json": a merge left conflict markers on lines ${at}, ${at + 2}, ${at + 4}`,
      data: {
        remediation: `Edit active/${id}.json: keep one side of each conflict, and remove the marker lines.`,
      },
    });
    await writeFile(specFile(), text.replace(/<<<<<<< ours\n([^=]*)=======\n[^>]*>>>>>>> theirs\n/, "$1"));
    await git("add", "-A");
    await git("commit", "-qm", "Merge");
    expect((await statuses())[0]).toBe("task-1-1 Main: pending");
  });

  it("serves worktrees that share one specs folder", async () => {
    await git("worktree", "add", "-q", join(root, "other"), "-b", "other");
    const shared = ["--specs-dir", join(repository, "specs")];
    await cli([...shared, "tasks", "complete", id, "task-1-1"], join(root, "other"));
    expect((await statuses())[0]).toBe("task-1-1 List the specs: completed");
    expect(await run("git", ["status", "--short"], join(root, "other"))).toEqual({ code: 0, output: "" });
    expect(await git("status", "--short")).toBe(` M specs/active/${id}.json\n`);
  });
});
