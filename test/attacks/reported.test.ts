import { execFileSync } from "node:child_process";
import {
  existsSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { snapshot } from "./run-attack.ts";
import { createSampleRepository, outsideWord } from "./sample-repository.ts";
import { type Answer, openCliSurface, openStdioSurface } from "./surfaces.ts";

// These attacks once succeeded. They have the form in which a cloned repository would contain them.
const repository = await createSampleRepository();
const surface = openCliSurface({ cwd: repository.folder, home: repository.home });
const specs = join(repository.folder, "specs");
const own = join(specs, ".foundry");
const run = (...argv: string[]): Promise<Answer> => surface.call({ tool: "", args: {}, argv });
const replace = (path: string, target: string) => {
  rmSync(path, { recursive: true, force: true });
  symlinkSync(target, path);
};
beforeEach(() => repository.restore());
afterAll(() => repository.remove());

describe("a link in the place of a history", () => {
  it("does not let a task's title into the shell of its user", async () => {
    const bashrc = join(repository.home, ".bashrc");
    writeFileSync(bashrc, "# mine\n");
    replace(
      join(own, "history", "victim", "log.jsonl"),
      join("..", "..", "..", "..", "..", "home", ".bashrc"),
    );
    await run("modify", "add-task", "victim", "--parent-id", "phase-1", "--title", "$(touch pwned)");
    await run("tasks", "start", "victim", "task-1-2");
    expect(readFileSync(bashrc, "utf8")).toBe("# mine\n");
    expect(lstatSync(join(own, "history", "victim", "log.jsonl")).isSymbolicLink()).toBe(true);
    rmSync(bashrc);
  });

  it.each(["history", "state", "answers", "locks"])(
    "of the whole folder %s, writes nothing there",
    async (name) => {
      const target = join(repository.outside, name);
      mkdirSync(target);
      replace(join(own, name), target);
      const before = snapshot(repository);
      const { envelope } = await run("tasks", "start", "victim", "task-1-2", "--idempotency-key", "k");
      expect(envelope).toMatchObject({
        success: false,
        data: { error_code: "INVALID_PATH", remediation: expect.stringMatching(/\w/) },
      });
      expect(snapshot(repository)).toEqual(before);
    },
  );
});

describe("the sweep of the archive", () => {
  /**
   * Makes a server archive content, which starts a cleanup of the archive. Waits until the cleanup has had an effect.
   */
  const sweep = async (hasHappened: () => boolean) => {
    const server = await openStdioSurface({ cwd: repository.folder, home: repository.home });
    await server.call({ tool: "spec", args: { action: "get", spec_id: "victim", max_tokens: 400 } });
    await expect.poll(hasHappened).toBe(true);
    expect(await server.end()).toBe(true);
  };
  const longAgo = new Date("2020-01-01T00:00:00Z");
  const names = ["0123456789abcdef01234567", "thesis.tex"];

  it("deletes nothing where tmp is a link", async () => {
    const target = join(repository.outside, "tmp");
    mkdirSync(target);
    for (const name of names) {
      writeFileSync(join(target, name), "mine");
      utimesSync(join(target, name), longAgo, longAgo);
    }
    replace(join(own, "archive", "tmp"), target);
    const before = snapshot(repository);
    await sweep(() => true);
    expect(snapshot(repository)).toEqual(before);
  });

  it("deletes only what has the name of a draft", async () => {
    for (const name of names) {
      writeFileSync(join(own, "archive", "tmp", name), "mine");
      utimesSync(join(own, "archive", "tmp", name), longAgo, longAgo);
    }
    const areThere = () => names.map((name) => existsSync(join(own, "archive", "tmp", name)));
    await sweep(() => areThere()[0] === false);
    expect(areThere()).toEqual([false, true]);
  });
});

describe("a device or pipe in the place of a spec", () => {
  it.each(["a device", "a pipe"])("is refused at once as %s, and other specs are served", async (kind) => {
    const path = join(specs, "active", "victim.json");
    if (kind === "a device") replace(path, "/dev/zero");
    else {
      rmSync(path);
      execFileSync("mkfifo", [path]);
    }
    for (const command of [
      ["specs", "get", "victim"],
      ["tasks", "start", "victim", "task-1-2"],
      ["lifecycle", "move", "victim", "completed"],
    ])
      expect((await run(...command)).envelope).toMatchObject({
        success: false,
        data: { error_code: "INVALID_PATH", remediation: expect.stringMatching(/\w/) },
      });
    expect((await run("tasks", "start", "active-bystander", "task-1-1")).envelope.success).toBe(true);
  });
});

describe("a spec file that is a link leading outside", () => {
  it("is not read, and is named in the list", async () => {
    const target = join(repository.outside, "secret.json");
    writeFileSync(
      target,
      readFileSync(join(specs, "active", "victim.json"), "utf8").replaceAll("innocent", outsideWord),
    );
    replace(join(specs, "active", "victim.json"), target);
    const { envelope, text } = await run("specs", "get", "victim");
    expect(envelope).toMatchObject({ success: false, data: { error_code: "INVALID_PATH" } });
    expect(text).not.toContain(outsideWord);
    const list = await run("specs", "find");
    expect(list.envelope.success).toBe(true);
    expect(list.text).not.toContain(outsideWord);
    const { entries } = (await run("specs", "history", "second-victim")).envelope.data as {
      entries: { revision: string }[];
    };
    const revision = entries.find((entry) => entry.revision.startsWith("2-"))?.revision;
    expect(list.envelope.meta.warning_details).toEqual([
      {
        code: "PARTIAL_FAILURE",
        severity: "warning",
        message: "1 file cannot be read as a spec: active/victim.json",
        context: {
          problems: [
            {
              path: "active/victim.json",
              message: 'Cannot read "active/victim.json": a link leads out of the folder',
            },
          ],
        },
      },
      // The sample contains an earlier copy of this spec, from before its last change, as a killed process
      // leaves it.
      {
        code: "REVISION_OVERWRITTEN",
        severity: "warning",
        message: `Another program overwrote revision ${revision} of spec "second-victim". To restore it: foundry-cli specs rollback second-victim ${revision} --confirm`,
        context: {
          spec_id: "second-victim",
          revision,
          replaced_by: "outside",
          remedy: {
            tool: "spec",
            action: "rollback",
            arguments: { spec_id: "second-victim", to_revision: revision, confirm: true },
          },
        },
      },
    ]);
  });
});
