import { existsSync } from "node:fs";
import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { createRegistry } from "@foundry-mcp/toolkit";
import { render } from "@foundry-mcp/toolkit/terminal";
import { describe, expect, it } from "vitest";
import { createMemoryStore } from "../specs/stores/memory-store.ts";
import { sampleDocument } from "../specs/stores/testing/sample-document.ts";
import { editView } from "../specs/views/spec-change-view.ts";
import { createEditTool } from "./edit-tool.ts";

/** Opens a spec with an editor that changes the file that it receives. */
async function open(edit: (file: string) => Promise<void>, { isInteractive = true, exitCode = 0 } = {}) {
  const store = createMemoryStore();
  await store.create("one", sampleDocument("one"), "active");
  const ran: (readonly string[])[] = [];
  const tool = createEditTool(
    { store: async () => store },
    {
      isInteractive,
      env: { EDITOR: "my-editor --wait 'a b'" },
      run: async (argv) => {
        ran.push(argv);
        await edit(argv.at(-1) ?? "");
        return exitCode;
      },
    },
  );
  const registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool] });
  return { store, ran, call: (spec_id = "one") => registry.call("edit", { action: "spec", spec_id }) };
}

const replace = (from: string, to: string) => async (file: string) =>
  writeFile(file, (await readFile(file, "utf8")).replaceAll(from, to));

describe("specs edit", () => {
  it("applies what was changed, and leaves no file", async () => {
    const { store, ran, call } = await open(async (file) => {
      expect((await stat(file)).mode & 0o777).toBe(0o600);
      await writeFile(file, (await readFile(file, "utf8")).replace("task-1-2", "Renamed"));
    });
    const { data, error } = await call();
    expect([error, data["changed"], data["removed"]]).toEqual([null, ["task-1-2"], []]);
    expect((await store.read("one")).model.node("task-1-2")?.title).toBe("Renamed");
    expect(ran[0]?.slice(0, 3)).toEqual(["my-editor", "--wait", "a b"]);
    expect(existsSync(dirname(ran[0]?.at(-1) ?? ""))).toBe(false);
  });

  it.each([
    ["the same", async () => {}, undefined],
    ["empty", (file: string) => writeFile(file, " \n"), ["The text is empty; nothing was changed"]],
  ])("changes nothing where the text is %s", async (_name, edit, warnings) => {
    const { store, ran, call } = await open(edit);
    const { revision } = await store.read("one");
    const { data, meta } = await call();
    expect([data["revision"], meta.warnings]).toEqual([revision, warnings]);
    expect((await store.read("one")).revision).toBe(revision);
    expect(existsSync(ran[0]?.at(-1) ?? "")).toBe(false);
  });

  it.each([
    ["a blank line", "\n"],
    ["several blank lines", " \n\t\n\r\n"],
    ["a byte order mark", "\ufeff"],
  ])("ignores %s above the front matter", async (_name, above) => {
    const { store, call } = await open(async (file) =>
      writeFile(file, above + (await readFile(file, "utf8")).replace("task-1-2", "Renamed")),
    );
    const { data, error } = await call();
    expect([error, data["added"], data["changed"], data["losses"]]).toEqual([null, [], ["task-1-2"], []]);
    const { model } = await store.read("one");
    expect([model.phases.map(({ id }) => id), model.node("task-1-2")?.title]).toEqual([
      ["phase-1"],
      "Renamed",
    ]);
  });

  const begin = 'it must begin with the lines "---", "spec_id: one" and "---"';
  it.each([
    ["text above the front matter", /^/, "oops\n", begin],
    ["a blank line and text above it", /^/, "\n\noops\n\n", begin],
    ["letters before the first dashes", /^/, "oops", begin],
    ["the first dashes deleted", /^---\n/, "", begin],
    ["the last dashes deleted", /one\n---\n/, "one\n", begin],
    ["the line spec_id deleted", /spec_id: one\n/, "", begin],
    ["the front matter deleted", /^---\n.*\n---\n/, "", begin],
    [
      "another spec_id",
      /spec_id: one/,
      "spec_id: two",
      'its line spec_id names "two"; the id of a spec cannot be changed',
    ],
    ["the title deleted", /\n# .*\n/, "\n", "it has no title"],
    ["an empty title", /\n# .*\n/, "\n# \n", "it has no title"],
  ])("refuses %s, changes nothing and says how to apply the text", async (_name, from, to, reason) => {
    const { store, ran, call } = await open(async (file) => {
      const text = await readFile(file, "utf8");
      const edited = text.replace(from, to);
      expect(edited).not.toBe(text);
      await writeFile(file, edited);
    });
    const before = await store.read("one");
    const { data, error } = await call();
    const kept = ran[0]?.at(-1) ?? "";
    expect(error).toBe(`Cannot apply the edited text to spec "one": ${reason}`);
    expect([data["error_code"], data["remedy"]]).toEqual([
      "VALIDATION_ERROR",
      { command: `foundry-cli specs import ${kept} --spec-id one --remove-missing --confirm` },
    ]);
    expect(data["remediation"]).toContain(`Your text is in ${kept}. `);
    const after = await store.read("one");
    expect([after.revision, after.model.document]).toEqual([before.revision, before.model.document]);
    expect(existsSync(kept)).toBe(true);
    await rm(dirname(kept), { recursive: true });
  });

  it("shows an edit with the command that undoes it, and an edit without effect as such", async () => {
    const { call } = await open(replace("task-1-2 {", "Renamed {"));
    const plain = (text: string) => text;
    const colors = { bold: plain, dim: plain, red: plain, green: plain, yellow: plain };
    const canvas = { width: 80, colors, unicode: true };
    const { data } = await call();
    expect(render(editView(data, canvas), canvas)).toBe(
      "✓ Edited one\n  ~ task-1-2\n  undo: foundry-cli undo one\n\nNext\n  foundry-cli specs get one\n",
    );
    const unchanged = (await (await open(async () => {})).call()).data;
    expect(render(editView(unchanged, canvas), canvas)).toBe("Nothing was changed in one\n");
    const blanks = (await (await open(replace("\n\n", "\n\n\n"))).call()).data;
    expect(render(editView(blanks, canvas), canvas)).toBe("Nothing was changed in one\n");
  });

  it("shows a conflict, and keeps the text in a file that it names", async () => {
    const { store, ran, call } = await open(async (file) => {
      await store.change("one", () => ({
        edits: [{ op: "set", path: ["hierarchy", "task-1-3", "title"], value: "Theirs" }],
        result: {},
      }));
      await replace("task-1-2", "Ours")(file);
    });
    const { data } = await call();
    const kept = ran[0]?.at(-1) ?? "";
    expect(data["error_code"]).toBe("VERSION_CONFLICT");
    expect(data["details"]).toMatchObject({ kept_file: kept, changed_fields: ["task-1-3.title"] });
    expect(data["remediation"]).toContain(`Your text is in ${kept}.`);
    expect(await readFile(kept, "utf8")).toContain("Ours");
    expect((await store.read("one")).model.node("task-1-2")?.title).toBe("task-1-2");
    await rm(dirname(kept), { recursive: true });
  });

  it("keeps the text where the editor fails", async () => {
    const { ran, call } = await open(replace("task-1-2", "Ours"), { exitCode: 1 });
    const { data, error } = await call();
    expect(error).toBe("Cannot edit: the editor my-editor ended with exit code 1");
    const kept = ran[0]?.at(-1) ?? "";
    expect(data["details"]).toEqual({ kept_file: kept });
    await rm(dirname(kept), { recursive: true });
  });

  it("is refused without a terminal, and says what to do instead", async () => {
    const { ran, call } = await open(async () => {}, { isInteractive: false });
    const { data } = await call();
    expect([data["error_code"], data["remedy"], ran]).toEqual([
      "INVALID_STATE",
      { tool: "spec", action: "export", arguments: { spec_id: "one" } },
      [],
    ]);
  });
});
