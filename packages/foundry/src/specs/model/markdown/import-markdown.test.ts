import { readdirSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { completeTask } from "../changes/complete-task.ts";
import { type SpecDocument, specFolders } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitrarySpec, specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { context, failureOf, now, runChange } from "../testing/run-change.ts";
import { brokenSpecs } from "../validate/testing/spec-arbitraries.ts";
import type { Draft, DraftNode } from "./draft.ts";
import { type ImportOptions, importMarkdown, specFromMarkdown } from "./import-markdown.ts";
import { parseMarkdown } from "./parse-markdown.ts";
import { nastySpecs, nastyTexts, nastyTitles } from "./testing/nasty-specs.ts";
import { withoutLines } from "./testing/without-lines.ts";
import { toDraft } from "./to-draft.ts";
import { fromDraft, toMarkdown } from "./to-markdown.ts";

const spec_id = "made-up-2026-01-01-001";
const nothing = { spec_id, added: [], created_nodes: [], changed: [], removed: [], losses: [] };
const small = () =>
  specOf(
    "phase-1",
    "phase-1/task-1-1 completed",
    "phase-1/task-1-2 < task-1-1",
    "phase-2 < phase-1",
    "phase-2/task-2-1",
    "task-2-1/task-2-1-1",
    "task-2-1/task-2-1-2",
  );
const plan = (text: string, options?: ImportOptions) => importMarkdown(parseMarkdown(text), options);
const markdownOf = (document: SpecDocument) => toMarkdown(new SpecModel(document));
/** Exports a spec, changes some lines of the text, and imports the text. */
function edit(document: SpecDocument, changes: Readonly<Record<string, string>>, options?: ImportOptions) {
  return runChange(document, plan(edited(document, changes), options));
}
function edited(document: SpecDocument, changes: Readonly<Record<string, string>>): string {
  return Object.entries(changes).reduce((text, [from, to]) => {
    expect(text).toContain(from);
    return text.replace(from, to);
  }, markdownOf(document));
}

describe("importing an unchanged export", () => {
  test("changes nothing, whatever the texts are", () => {
    fc.assert(
      fc.property(nastySpecs, (document) => {
        const change = runChange(document, plan(markdownOf(document)));
        expect(change.edits).toEqual([]);
        expect(change.result).toEqual({ ...nothing, spec_id: document["spec_id"] });
        expect(change.warnings).toBeUndefined();
      }),
      { numRuns: 300 },
    );
  });

  test("changes nothing in a broken spec either", () => {
    fc.assert(
      fc.property(brokenSpecs, (document) => {
        expect(runChange(document, plan(markdownOf(document))).edits).toEqual([]);
      }),
      { numRuns: 300 },
    );
  });

  const folder = new URL("../../../../../../test/fixtures/specs/", import.meta.url);
  const real = specFolders.flatMap((status) => {
    const place = new URL(`${status}/`, folder);
    const names = status === "active" ? [] : readdirSync(place);
    return names.map((name) => [name, new URL(name, place)] as const);
  });
  test("finds the seven real specs", () => expect(real.length).toBe(7));
  test.each(real)("changes nothing in %s", (_, path) => {
    const document = JSON.parse(readFileSync(path, "utf8")) as SpecDocument;
    const spec = new SpecModel(document);
    const parsed = parseMarkdown(toMarkdown(spec));
    expect(withoutLines(parsed.draft)).toEqual(toDraft(spec));
    expect(runChange(document, importMarkdown(parsed)).edits).toEqual([]);
    // An import as a new spec produces the same draft with the same ids.
    const again = specFromMarkdown(spec.id, parsed, {}, context);
    const { category, ...fields } = toDraft(new SpecModel(again.document)).fields;
    expect({
      ...toDraft(new SpecModel(again.document)),
      fields: { ...fields, ...(spec.metadata.category === undefined ? {} : { category }) },
    }).toEqual(toDraft(spec));
    expect(again.result.losses).toEqual([]);
  });
});

/** A kind of edit that a person makes in a document. */
type Doing = "title" | "text" | "order" | "add" | "check";

describe("importing edits of a person", () => {
  const places = fc.record({
    doing: fc.constantFrom<Doing>("title", "text", "order", "add", "check"),
    at: fc.nat(),
    title: nastyTitles,
    text: nastyTexts,
  });

  test("changes what was edited and nothing else", () => {
    const done = new Map<Doing, number>();
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 30 }), places, (document, { doing, at, title, text }) => {
        const spec = new SpecModel(document);
        const before = toDraft(spec);
        const all = flatten(before.nodes);
        const fit = all.filter((node) => isFit(spec, doing, node));
        const chosen = fit[at % fit.length];
        if (chosen === undefined) return;
        const wanted = changeNode(before, chosen, (node): DraftNode => {
          if (doing === "title") return { ...node, title };
          if (doing === "text") return { ...node, fields: { ...node.fields, description: text } };
          if (doing === "order") return { ...node, children: [...node.children].reverse() };
          if (doing === "check") return { ...node, status: "completed" };
          const added = {
            line: 0,
            id: undefined,
            type: undefined,
            title,
            status: "pending" as const,
            fields: { description: text },
            children: [],
          };
          return { ...node, children: [...node.children, added] };
        });
        const { document: after, result } = runChange(document, plan(fromDraft(wanted)));
        const [id] = result.added;
        expect(result).toEqual({
          ...nothing,
          added: doing === "add" ? [id] : [],
          created_nodes: result.added.map((each) => {
            const { title: own, type, parent } = nodesOf(after)[each]!;
            return { id: each, title: own, type, parent };
          }),
          changed: isNoChange(spec, chosen, doing, title) ? [] : [chosen.id],
        });
        expect(problemsOf(after)).toEqual([]);
        const named = changeNode(wanted, undefined, (node) =>
          node.id === undefined ? { ...node, id } : node,
        );
        // The status of a parent is derived from its children and not read from the document.
        const [got, want] = [withoutStatus(toDraft(new SpecModel(after))), withoutStatus(named)];
        expect(got).toEqual(want);
        done.set(doing, (done.get(doing) ?? 0) + 1);
      }),
      { numRuns: 500 },
    );
    for (const count of done.values()) expect(count).toBeGreaterThan(20);
    expect(done.size).toBe(5);
  });
});

describe("importMarkdown", () => {
  test("sets the fields of a task and removes those left out", () => {
    const document = small();
    Object.assign(nodesOf(document)["task-1-2"]!.metadata, { description: "Old", owner: "ada", secret: 7 });
    const { document: after, result } = edit(document, {
      "  > Old\n": "",
      "- Owner: ada": "- File: `a.ts`\n  - Labels: one, two\n  - Estimate: 30 min",
    });
    expect(nodesOf(after)["task-1-2"]?.metadata).toEqual({
      secret: 7,
      file_path: "a.ts",
      labels: ["one", "two"],
      estimated_hours: 0.5,
    });
    expect(result).toEqual({ ...nothing, changed: ["task-1-2"] });
  });

  test("updates the fields of the spec itself", () => {
    const { document, result } = edit(small(), {
      "# Made up\n":
        "# Made anew\n\n> What it is\n\n- Mission: To show\n\n## Risks\n\n- Rain\n  - Impact: high\n",
    });
    expect(document["title"]).toBe("Made anew");
    expect(document["metadata"]).toEqual({
      description: "What it is",
      mission: "To show",
      risks: [{ description: "Rain", impact: "high" }],
    });
    expect(result).toEqual({ ...nothing, changed: ["spec-root"] });
  });

  test("keeps the members of a note that Markdown cannot express", () => {
    const risks = [{ id: "r1", text: "Rain", likelihood: "low" }, "Wind"];
    const { document } = edit({ ...small(), metadata: { risks } }, { "Likelihood: low": "Likelihood: high" });
    expect(document["metadata"]).toEqual({ risks: [{ id: "r1", text: "Rain", likelihood: "high" }, "Wind"] });
  });

  test("moves a task with a checked checkbox and updates the counts of both parents", () => {
    const moved = edited(small(), {
      "  - [ ] A subtask {#task-2-1-1}\n": "",
      "- [ ] A task {#task-1-2}\n": "- [x] A subtask {#task-2-1-1}\n- [ ] A task {#task-1-2}\n",
    });
    const { document, result } = runChange(small(), plan(moved));
    const nodes = nodesOf(document);
    expect(nodes["phase-1"]?.children).toEqual(["task-1-1", "task-2-1-1", "task-1-2"]);
    expect(nodes["task-2-1"]?.children).toEqual(["task-2-1-2"]);
    expect(nodes["task-2-1-1"]).toMatchObject({ parent: "phase-1", status: "completed", type: "subtask" });
    expect(problemsOf(document)).toEqual([]);
    expect(result.changed.toSorted()).toEqual(["phase-1", "task-2-1", "task-2-1-1"]);
  });

  test("warns of missing nodes, and removes them with remove_missing", () => {
    const text = edited(small(), { "- [ ] A task {#task-1-2}\n  - Depends on: task-1-1\n": "" });
    const kept = runChange(small(), plan(text));
    expect(kept.edits).toEqual([]);
    expect(kept.warnings).toEqual([
      "task-1-2 is not in the Markdown, and stay in the spec; remove_missing removes them",
    ]);
    const { document, result, marks, warnings } = runChange(small(), plan(text, { remove_missing: true }));
    expect(result).toEqual({ ...nothing, changed: ["phase-1"], removed: ["task-1-2"] });
    expect(nodesOf(document)["task-1-1"]?.dependencies.blocks).toEqual([]);
    expect(problemsOf(document)).toEqual([]);
    expect([marks, warnings]).toEqual([{ "task-1": 2 }, undefined]);
  });

  test("adds new nodes with the ids that they name if those are free", () => {
    const { document, result } = edit(small(), {
      "## A phase {#phase-2}":
        "- [ ] Mine {#task-1-9}\n- [ ] Next\n- [ ] Copy {#task-1-1}\n  - Depends on: Mine\n\n## A phase {#phase-2}",
    });
    expect(result).toEqual({
      ...nothing,
      added: ["task-1-9", "task-1-10", "task-1-11"],
      created_nodes: [
        { id: "task-1-9", title: "Mine", type: "task", parent: "phase-1" },
        { id: "task-1-10", title: "Next", type: "task", parent: "phase-1" },
        { id: "task-1-11", title: "Copy", type: "task", parent: "phase-1" },
      ],
      changed: ["phase-1"],
      losses: [
        { line: 15, text: "{#task-1-1}", why: "The id stands above already; the task gets another one" },
      ],
    });
    expect(nodesOf(document)["task-1-11"]?.dependencies.blocked_by).toEqual(["task-1-9"]);
    expect(problemsOf(document)).toEqual([]);
  });

  test("takes the ids that new nodes get, and titles of nodes that the document does not have", () => {
    const { document } = specFromMarkdown(
      spec_id,
      parseMarkdown("# A\n\n## One\n\n- [ ] T\n- [ ] U\n  - Depends on: task-1-1, v\n- [ ] V\n"),
      {},
      context,
    );
    expect(nodesOf(document)["task-1-2"]?.dependencies.blocked_by).toEqual(["task-1-1", "task-1-3"]);
    expect(nodesOf(document)["task-1-3"]?.dependencies.blocks).toEqual(["task-1-2"]);
    expect(problemsOf(document)).toEqual([]);
    const more = runChange(document, plan("## One {#phase-1}\n\n- [ ] W\n  - Depends on: U\n"));
    expect(nodesOf(more.document)["task-1-4"]?.dependencies.blocked_by).toEqual(["task-1-2"]);
  });

  test("does not reuse the id of a removed node", () => {
    const text = edited(small(), {
      "- [x] A task {#task-1-1}": "- [x] A task {#task-1-1}\n- [ ] New {#task-1-3}",
    });
    const { result } = runChange(small(), plan(text), { marks: { "task-1": 5 } });
    expect(result.added).toEqual(["task-1-6"]);
    expect(result.losses.map(({ why }) => why)).toEqual([
      "The id belonged to a task that was removed; the task gets another one",
    ]);
  });

  test("matches nodes without ids by title and then removes nothing", () => {
    const by = "# By hand\n\n## One\n\n- [ ] First\n  - File: a.ts\n- [ ] Second\n";
    const { document } = specFromMarkdown(spec_id, parseMarkdown(by), {}, context);
    const again = by
      .replace("  - File: a.ts\n", "  More of it\n")
      .replace("- [ ] Second", "- [x] Second\n- [ ] Third");
    const change = runChange(document, plan(again));
    expect(change.result).toEqual({
      ...nothing,
      added: ["task-1-3"],
      created_nodes: [{ id: "task-1-3", title: "Third", type: "task", parent: "phase-1" }],
      changed: ["phase-1", "task-1-1", "task-1-2"],
    });
    expect(nodesOf(change.document)["task-1-1"]?.metadata).toEqual({
      file_path: "a.ts",
      description: "More of it",
    });
  });

  test("changes statuses through their plans in a possible order", () => {
    const { document } = edit(small(), {
      "- [x] A task {#task-1-1}": "- [~] A task {#task-1-1}",
      "- [ ] A subtask {#task-2-1-2}": "- [!] A subtask {#task-2-1-2}\n    - Blocked because: No room",
    });
    const nodes = nodesOf(document);
    expect(nodes["task-1-1"]).toMatchObject({ status: "in_progress", metadata: { started_at: now } });
    expect(nodes["task-2-1-2"]).toMatchObject({
      status: "blocked",
      metadata: { blocker_description: "No room" },
    });
    expect((document["journal"] as { title: string }[]).map(({ title }) => title)).toEqual([
      "Task Reopened: A task",
      "Status changed to in_progress",
      "Task Blocked: A subtask",
    ]);
    const all = runChange(small(), plan(markdownOf(small()).replaceAll("[ ]", "[x]")));
    expect(new SpecModel(all.document).node("spec-root")?.status).toBe("completed");
    expect(problemsOf(all.document)).toEqual([]);
  });
});

describe("importing a document that cannot be applied", () => {
  test("changes nothing and lists every problem", () => {
    const text = edited(small(), {
      "- [ ] A subtask {#task-2-1-2}": "- [x] A subtask {#task-2-1-2}",
      "- [ ] A task {#task-2-1}": "- [x] A task {#task-2-1}",
      "# Made up": "# Made anew",
    });
    expect(failureOf(small(), plan(text))).toEqual({
      code: "INVALID_STATE",
      message:
        "Cannot import the Markdown, and nothing was changed: line 17: Cannot complete task-2-1: 2 tasks below it are open: task-2-1-1, task-2-1-2, and 1 more",
      remediation: expect.stringContaining("Correct the lines that have a problem"),
      details: {
        spec_id,
        place_count: 2,
        places: [
          {
            line: 17,
            task_id: "task-2-1",
            error: expect.stringContaining("are open"),
            error_code: "INVALID_STATE",
          },
          {
            line: 19,
            task_id: "task-2-1-2",
            error: expect.stringContaining("waits for phase-1"),
            error_code: "DEPENDENCY_ERROR",
          },
        ],
      },
    });
  });

  test.each([
    ["a title that is too long", { "# Made up": `# ${"x".repeat(501)}` }, "CONTENT_TOO_LARGE", 1],
    ["a title that is empty", { "A task {#task-1-2}": "{#task-1-2}" }, "VALIDATION_ERROR", 10],
    [
      "a circle",
      { "- [x] A task {#task-1-1}": "- [x] A task {#task-1-1}\n  - Depends on: task-2-1-1" },
      "CIRCULAR_DEPENDENCY",
      9,
    ],
    [
      "a dependency on nothing that there is",
      { "- [x] A task {#task-1-1}": "- [x] A task {#task-1-1}\n  - Depends on: the moon" },
      "TASK_NOT_FOUND",
      9,
    ],
    [
      "a dependency on a title that several tasks have",
      { "- [x] A task {#task-1-1}": "- [x] A task {#task-1-1}\n  - Depends on: A task" },
      "VALIDATION_ERROR",
      9,
    ],
    [
      "a dependency on itself",
      { "- [x] A task {#task-1-1}": "- [x] A task {#task-1-1}\n  - Depends on: task-1-1" },
      "CIRCULAR_DEPENDENCY",
      9,
    ],
  ] as const)("names %s", (_, changes, code, line) => {
    const failure = failureOf(small(), plan(edited(small(), changes)));
    expect([failure.code, failure.details]).toMatchObject([code, { places: [{ line }] }]);
  });

  test("refuses a document of another spec", () => {
    expect(failureOf(small(), plan("---\nspec_id: other\n---\n"))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: `Cannot import the Markdown into spec "${spec_id}": its front matter names spec "other"`,
    });
  });

  test("refuses to change a held task", () => {
    const lease = {
      task_id: "task-1-2",
      token: "1-a",
      holder: "bob",
      since: now,
      until: "2026-01-02T13:00:00Z",
    };
    const leases = new Map([[lease.task_id, lease]]);
    const text = edited(small(), { "A task {#task-1-2}": "Another {#task-1-2}" });
    expect(() => runChange(small(), plan(text), { leases })).toThrow("bob holds a claim on it");
    expect(runChange(small(), plan(markdownOf(small())), { leases }).edits).toEqual([]);
    expect(runChange(small(), completeTask({ task_id: "task-1-2" })).edits).not.toEqual([]);
  });

  test("refuses a new spec without a title", () => {
    expect(() => specFromMarkdown("x-1", parseMarkdown(""), {}, context)).toThrow("it has no title");
    const { document } = specFromMarkdown("x-1", parseMarkdown(""), { name: "Given" }, context);
    expect(document["title"]).toBe("Given");
  });
});

function flatten(nodes: readonly DraftNode[]): readonly DraftNode[] {
  return nodes.flatMap((node) => [node, ...flatten(node.children)]);
}

/** Returns a draft in which one node was changed, or in which all nodes were changed. */
function changeNode(
  draft: Draft,
  chosen: DraftNode | undefined,
  change: (node: DraftNode) => DraftNode,
): Draft {
  const visit = (node: DraftNode): DraftNode => {
    const below = { ...node, children: node.children.map(visit) };
    return chosen === undefined || node === chosen ? change(below) : below;
  };
  return { ...draft, nodes: draft.nodes.map(visit) };
}

function isFit(spec: SpecModel, doing: Doing, { id = "", children, status }: DraftNode): boolean {
  const node = spec.node(id);
  if (doing === "add") return node?.type === "phase";
  if (doing === "order") return children.length > 1;
  if (doing !== "check") return true;
  if (status !== "pending" && status !== "in_progress") return false;
  const model = node !== undefined && spec.isLeaf(node) && node.type !== "group";
  return (
    model &&
    spec
      .ancestry(id)
      .every(({ blockedBy }) => blockedBy.every((each) => spec.node(each)?.status === "completed"))
  );
}

function isNoChange(spec: SpecModel, { id = "" }: DraftNode, doing: Doing, title: string): boolean {
  return doing === "title" && spec.node(id)?.title === title;
}

/** Removes the statuses of all nodes except leaves. */
function withoutStatus(draft: Draft): Draft {
  return changeNode(draft, undefined, (node) =>
    node.children.length === 0 && node.type !== "group" ? node : { ...node, status: undefined },
  );
}

describe("a verify node before its work in a document", () => {
  const imported = (verify: string, work: string) => {
    const text = `## Build\n\n- [${verify}] Run the tests {.verify}\n- [${work}] Write it\n`;
    const { document, warnings } = runChange(specOf(), plan(text));
    const { children } = nodesOf(document)["phase-1"]!;
    return [children, children.map((id) => nodesOf(document)[id]!.status), warnings];
  };

  test("stays where it is, and is completed after the work of the same document", () => {
    const order = ["verify-1-1", "task-1-1"];
    expect(imported("x", "x")).toEqual([order, ["completed", "completed"], undefined]);
    expect(imported("x", " ")).toEqual([
      order,
      ["completed", "pending"],
      [
        "verify-1-1 runs before the work that it verifies is done: 1 task that it verifies is open below phase-1: task-1-1",
      ],
    ]);
  });
});
