import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { callCli, runCli } from "./programs.ts";
import { createWorkspace, type TestWorkspace } from "./workspace.ts";

const id = "notes-intake-2025-12-28-001";
let workspace: TestWorkspace;
beforeAll(async () => {
  workspace = await createWorkspace("real");
});
afterAll(() => workspace.remove());

const call = (...argv: readonly string[]) => callCli(argv, { cwd: workspace.folder });
const file = (name: string) => join(workspace.folder, name);

describe("Markdown on the command line", () => {
  test("exports a spec, and imports it after an edit", async () => {
    const { code, stdout, stderr } = await runCli(["--human", "specs", "export", id], {
      cwd: workspace.folder,
    });
    expect([code, stderr]).toEqual([0, ""]);
    expect(stdout).toBe((await call("specs", "export", id)).data["markdown"]);
    await writeFile(file("spec.md"), stdout);
    const path = join(workspace.specs, "completed", `${id}.json`);
    const before = await readFile(path, "utf8");

    const same = await call("specs", "import", "spec.md", "--spec-id", id);
    expect(same.data).toMatchObject({
      spec_id: id,
      created: false,
      added: [],
      changed: [],
      removed: [],
      losses: [],
    });
    expect(await readFile(path, "utf8")).toBe(before);

    const edited = stdout.replace("# notes-intake\n", "# Intake of notes\n").replace("- [x]", "- [ ]");
    await writeFile(file("spec.md"), edited);
    const { data } = await call("specs", "import", "spec.md", "--spec-id", id);
    expect(data).toMatchObject({ added: [], removed: [], losses: [] });
    const after = JSON.parse(await readFile(path, "utf8")) as { title: string; journal: { title: string }[] };
    expect([after.title, after.journal.at(-1)?.title]).toEqual([
      "Intake of notes",
      expect.stringContaining("Task Reopened: "),
    ]);
    expect((await call("specs", "export", id)).data["markdown"]).toContain("# Intake of notes");
  });

  test("imports a new spec from a file and from stdin", async () => {
    await writeFile(file("plan.md"), "# A plan\r\n\r\n* TODO one\r\n* DONE two\r\n");
    const { data } = await call("specs", "import", "plan.md", "--status", "active");
    expect(data).toMatchObject({ created: true, added: ["phase-1", "task-1-1", "task-1-2"], losses: [] });
    const piped = await callCli(["specs", "import", "-", "--name", "Piped"], {
      cwd: workspace.folder,
      input: "- [ ] one\n<!-- gone -->\n",
    });
    expect(piped.data).toMatchObject({
      created: true,
      losses: [{ line: 2, why: "Comments are not imported" }],
    });
    expect(piped.meta.warnings).toHaveLength(1);
  });

  test("refuses the whole import if one box may not be checked", async () => {
    const text = "# Boxes\n\n- [ ] one {#task-1-1}\n- [ ] two {#task-1-2}\n  - Depends on: task-1-1\n";
    await writeFile(file("boxes.md"), text);
    const { data } = await call("specs", "import", "boxes.md");
    await writeFile(file("boxes.md"), text.replace("- [ ] two", "- [x] two"));
    const failed = await call("specs", "import", "boxes.md", "--spec-id", String(data["spec_id"]));
    expect(failed.error).toBe(
      "Cannot import the Markdown, and nothing was changed: line 4: Cannot complete task-1-2: it waits for task-1-1",
    );
  });
});
