import { createRegistry, defineTool, type Registry } from "@foundry-mcp/toolkit";
import { beforeEach, describe, expect, test } from "vitest";
import { specOf } from "../../model/testing/arbitrary-spec.ts";
import { createMemoryStore } from "../../stores/memory-store.ts";
import type { SpecStore } from "../../stores/spec-store.ts";
import { markdownActions } from "./markdown-actions.ts";

const id = "made-up-2026-01-01-001";
const silent = { trace() {}, debug() {}, info() {}, warn() {}, error() {}, fatal() {} };
let store: SpecStore;
let registry: Registry;

beforeEach(async () => {
  store = createMemoryStore(() => "2026-02-03T04:05:06Z");
  await store.create(id, specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2 < task-1-1"), "active");
  const workspace = { store: async () => store };
  const tool = defineTool({
    name: "spec",
    version: "1.0.0",
    description: "Specs",
    actions: markdownActions(workspace),
  });
  registry = createRegistry({ name: "test", version: "1.0.0", tools: [tool], logger: silent as never });
});

async function call(action: string, args: object) {
  const { success, data, error, meta } = (await registry.call("spec", { action, ...args })) as never as {
    success: boolean;
    data: Record<string, unknown>;
    error: string | null;
    meta: { warnings?: string[] };
  };
  return { success, data, error, warnings: meta.warnings ?? [] };
}
const exported = async () =>
  (await call("export", { spec_id: id })).data as { markdown: string; revision: string };

describe("export", () => {
  test("gives a spec as Markdown, with its revision", async () => {
    const { revision } = await store.read(id);
    expect((await call("export", { spec_id: id })).data).toEqual({
      spec_id: id,
      revision,
      markdown: [
        ...["---", `spec_id: ${id}`, "---", "", "# Made up", "", "## A phase {#phase-1}", ""],
        ...["- [ ] A task {#task-1-1}", "- [ ] A task {#task-1-2}", "  - Depends on: task-1-1", ""],
      ].join("\n"),
    });
  });

  test("of no spec fails", async () => {
    expect((await call("export", { spec_id: "other" })).success).toBe(false);
  });
});

describe("import", () => {
  test.each([
    ["text above the front matter", "oops\n", /^/, 3],
    ["a broken first line", "oops", /^/, 2],
    ["no first line of dashes", "", /^---\n/, 1],
    ["no last line of dashes", `spec_id: ${id}\n`, /spec_id.*\n---\n/, 2],
  ])("of a document with %s is refused for old and new specs", async (_name, text, place, line) => {
    const { markdown, revision } = await exported();
    for (const target of [{ spec_id: id }, {}, { as_new: true }]) {
      const { data, error } = await call("import", { ...target, markdown: markdown.replace(place, text) });
      expect([data["error_code"], error]).toEqual([
        "VALIDATION_ERROR",
        `Cannot import the Markdown: line ${line} is not in the front matter, but names a spec_id`,
      ]);
    }
    expect([(await store.read(id)).revision, (await store.list()).specs.length]).toEqual([revision, 1]);
  });

  test("of an export changes nothing", async () => {
    const { markdown, revision } = await exported();
    expect(await call("import", { spec_id: id, markdown, if_revision: revision })).toEqual({
      success: true,
      data: {
        spec_id: id,
        revision,
        created: false,
        added: [],
        created_nodes: [],
        changed: [],
        removed: [],
        losses: [],
      },
      error: null,
      warnings: [],
    });
  });

  test("of a changed one makes the change, unless it is only to be looked at", async () => {
    const { markdown, revision } = await exported();
    const changed = markdown.replace("[ ]", "[x]").replace("A phase", "The phase");
    const looked = await call("import", { spec_id: id, markdown: changed, dry_run: true });
    expect(looked.data).toMatchObject({ revision, changed: ["phase-1", "task-1-1"] });
    expect((await store.read(id)).revision).toBe(revision);
    const made = await call("import", { spec_id: id, markdown: changed });
    expect(made.data).toMatchObject({ created: false, changed: ["phase-1", "task-1-1"] });
    const { model } = await store.read(id);
    expect([model.node("phase-1")?.title, model.node("task-1-1")?.status]).toEqual([
      "The phase",
      "completed",
    ]);
    expect((await call("import", { spec_id: id, markdown, if_revision: revision })).error).toContain(
      revision,
    );
  });

  test("removes only what it is told to remove, and sure of", async () => {
    const markdown = (await exported()).markdown.replace(/- \[ \] A task \{#task-1-2\}\n.*\n/, "");
    expect((await call("import", { spec_id: id, markdown })).warnings).toEqual([
      "task-1-2 is not in the Markdown, and stay in the spec; remove_missing removes them",
    ]);
    const unsure = await call("import", { spec_id: id, markdown, remove_missing: true });
    expect(unsure.error).toBe(
      "Cannot import with this remove_missing: it removes tasks, and confirm is missing",
    );
    const { data } = await call("import", { spec_id: id, markdown, remove_missing: true, confirm: true });
    expect(data).toMatchObject({ removed: ["task-1-2"], changed: ["phase-1"] });
  });

  test("makes a new spec, and tells once what it lost", async () => {
    const markdown = "# By hand\n\n- [x] One\n- [?] Two\n\n<!-- secret -->\n";
    const { data, warnings } = await call("import", { markdown, status: "active" });
    const spec = data["spec_id"] as string;
    expect(spec).toMatch(/^by-hand-\d{4}-\d\d-\d\d-001$/);
    const { revision, folder, model } = await store.read(spec);
    expect([folder, model.title, model.node("task-1-1")?.status]).toEqual(["active", "By hand", "completed"]);
    expect(data).toEqual({
      ...{ spec_id: spec, revision, created: true, changed: [], removed: [] },
      added: ["phase-1", "task-1-1", "task-1-2"],
      created_nodes: [
        { id: "phase-1", title: "Tasks", type: "phase", parent: "spec-root" },
        { id: "task-1-1", title: "One", type: "task", parent: "phase-1" },
        { id: "task-1-2", title: "Two", type: "task", parent: "phase-1" },
      ],
      losses: [
        { line: 4, text: "- [?] Two", why: "[?] is not a known checkbox: the task is imported as open" },
        { line: 6, text: "<!-- secret -->", why: "Comments are not imported" },
      ],
    });
    expect(warnings).toEqual([
      'Some lines cannot be imported: line 4, "- [?] Two": [?] is not a known checkbox: the task is imported as open; 1 more are listed',
    ]);
  });

  test("changes the spec that the document names, and copies it with as_new", async () => {
    const { markdown } = await exported();
    const edited = markdown.replace("{#task-1-1}", "edited {#task-1-1}");
    const looked = await call("import", { markdown: edited, dry_run: true });
    const diff = looked.data["diff"] as { changed: readonly { id: string; field: string }[] };
    expect(diff.changed.map(({ id: node, field }) => `${node} ${field}`)).toEqual(["task-1-1 title"]);
    const changed = await call("import", { markdown: edited });
    expect(changed.data).toMatchObject({ spec_id: id, created: false, changed: ["task-1-1"] });
    expect("diff" in changed.data).toBe(false);
    const copy = await call("import", { markdown, as_new: true });
    expect(copy.data).toMatchObject({ created: true });
    expect(copy.data["spec_id"]).not.toBe(id);
    const both = await call("import", { markdown, spec_id: id, as_new: true });
    expect(both.error).toBe("Cannot import with this as_new: spec_id names a spec to update");
  });

  test("lets new phases follow each other unless the document says otherwise", async () => {
    const markdown = [
      "# Plan",
      "## Phase 1",
      "- [ ] Read",
      "## Phase 2",
      "- [ ] Write",
      "  - Depends on: Deploy",
      "- [ ] Test",
      "  - Depends on: task-1-1, Write",
      "## Phase 3",
      "- Depends on: none",
      "- [ ] Deploy",
    ].join("\n");
    const { data } = await call("import", { markdown });
    const { model } = await store.read(String(data["spec_id"]));
    expect(Object.fromEntries(model.orderedNodes.map((node) => [node.id, node.blockedBy]))).toEqual({
      "phase-1": [],
      "task-1-1": [],
      "phase-2": ["phase-1"],
      "task-2-1": ["task-3-1"],
      "task-2-2": ["task-1-1", "task-2-1"],
      "phase-3": [],
      "task-3-1": [],
    });
    const wrong = await call("import", { markdown: markdown.replace("Deploy\n", "Nothing like it\n") });
    expect(wrong.error).toContain("line 5:");
  });

  test("keeps the id that the document names where it is free", async () => {
    const { markdown } = await exported();
    const named = await call("import", { markdown: markdown.replace(id, "mine-1"), name: "Mine" });
    expect(named.data).toMatchObject({ spec_id: "mine-1", created: true });
    expect((await store.read("mine-1")).model.title).toBe("Mine");
    const looked = await call("import", { markdown: "# New\n", dry_run: true });
    expect(looked.data).toMatchObject({ created: true, revision: null });
  });

  test.each([
    [
      { markdown: "# A", if_revision: "1-a" },
      "Cannot import with this if_revision: it applies to an existing spec",
    ],
    [
      { markdown: "# A", spec_id: id, status: "active" },
      "Cannot import with this status: the Markdown updates an existing spec",
    ],
    [{ markdown: "- [ ] a" }, "Cannot make a spec of the Markdown: it has no title, and no name was given"],
    [
      { markdown: "---\nspec_id: x\n---\n", spec_id: id },
      `Cannot import the Markdown into spec "${id}": its front matter names spec "x"`,
    ],
  ])("refuses %j", async (args, error) => {
    expect((await call("import", args)).error).toBe(error);
  });
});
