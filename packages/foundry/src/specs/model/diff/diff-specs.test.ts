import fc from "fast-check";
import { describe, expect, it } from "vitest";
import type { Edit } from "../../../files/json-text/edit.ts";
import { SpecModel } from "../spec-model.ts";
import { arbitrarySpec, specOf } from "../testing/arbitrary-spec.ts";
import { countDiff, diffSpecs, type SpecDiff } from "./diff-specs.ts";

const nothing: SpecDiff = {
  added: [],
  removed: [],
  changed: [],
  fields: [],
  journal: { added: 0, removed: 0 },
};
const base = () =>
  new SpecModel(specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2 < task-1-1", "phase-2"));
const node = (id: string, ...path: string[]) => ["hierarchy", id, ...path];
const diffOf = (...edits: Edit[]) => diffSpecs(base(), base().after(edits));
/** Returns a spec with equal content that shares no objects with the given spec. */
const parsed = (spec: SpecModel) => new SpecModel(JSON.parse(JSON.stringify(spec.document)));

describe("diffSpecs", () => {
  it("finds nothing between a spec and itself", () => {
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 40 }), (document) => {
        const spec = new SpecModel(document);
        expect(diffSpecs(spec, parsed(spec), { withCounts: true })).toEqual(nothing);
      }),
    );
  });

  it("reports added, changed and removed fields of nodes and of the spec", () => {
    expect(
      diffOf(
        { op: "set", path: node("task-1-1", "status"), value: "completed" },
        { op: "set", path: node("task-1-1", "completed_tasks"), value: 1 },
        { op: "set", path: node("task-1-1", "metadata", "note"), value: "done" },
        { op: "remove", path: node("task-1-2", "dependencies", "blocked_by", "0") },
        { op: "remove", path: node("task-1-2", "title") },
        { op: "set", path: ["title"], value: "Renamed" },
        { op: "set", path: ["metadata", "owner"], value: "someone" },
        { op: "insert", path: ["journal"], index: 0, value: { title: "entry" } },
      ),
    ).toEqual({
      added: [],
      removed: [],
      changed: [
        { id: "task-1-1", field: "status", before: "pending", after: "completed" },
        { id: "task-1-1", field: "metadata.note", after: "done" },
        { id: "task-1-2", field: "dependencies.blocked_by", before: ["task-1-1"], after: [] },
        { id: "task-1-2", field: "title", before: "A task" },
      ],
      fields: [
        { field: "title", before: "Made up", after: "Renamed" },
        { field: "metadata.owner", after: "someone" },
      ],
      journal: { added: 1, removed: 0 },
    });
  });

  it("reports counts on request", () => {
    const after = base().after([{ op: "set", path: node("phase-1", "total_tasks"), value: 9 }]);
    expect(diffSpecs(base(), after)).toEqual(nothing);
    expect(diffSpecs(base(), after, { withCounts: true }).changed).toEqual([
      { id: "phase-1", field: "total_tasks", before: 2, after: 9 },
    ]);
  });

  it("reports added and removed nodes, and only the order of children", () => {
    const before = base();
    const raw = { ...before.node("task-1-2")?.raw, title: "New" } as never;
    const after = before.after([
      { op: "set", path: node("task-1-3"), value: raw },
      { op: "set", path: node("phase-1", "children"), value: ["task-1-3", "task-1-1"] },
      { op: "remove", path: node("task-1-2") },
    ]);
    const diff = diffSpecs(before, after);
    expect(diff).toEqual({
      ...nothing,
      added: [{ id: "task-1-3", type: "task", title: "New", parent: "phase-1" }],
      removed: [{ id: "task-1-2", type: "task", title: "A task", parent: "phase-1" }],
    });
    expect(countDiff(diff)).toEqual({
      added: 1,
      removed: 1,
      changed: 0,
      fields: 0,
      journal_added: 0,
      journal_removed: 0,
    });
    expect(
      diffOf({ op: "set", path: node("phase-1", "children"), value: ["task-1-2", "task-1-1"] }).changed,
    ).toEqual([
      { id: "phase-1", field: "children", before: ["task-1-1", "task-1-2"], after: ["task-1-2", "task-1-1"] },
    ]);
  });

  it("reports a moved node by its parent only", () => {
    const diff = diffOf(
      { op: "set", path: node("phase-1", "children"), value: ["task-1-1"] },
      { op: "set", path: node("phase-2", "children"), value: ["task-1-2"] },
      { op: "set", path: node("task-1-2", "parent"), value: "phase-2" },
    );
    expect(diff.changed).toEqual([{ id: "task-1-2", field: "parent", before: "phase-1", after: "phase-2" }]);
  });

  it("mirrors itself: what one way adds the other way removes", () => {
    const specs = fc.tuple(arbitrarySpec({ maxNodes: 30 }), arbitrarySpec({ maxNodes: 30 }));
    fc.assert(
      fc.property(specs, ([one, two]) => {
        const [a, b] = [new SpecModel(one), new SpecModel(two)];
        const [there, back] = [diffSpecs(a, b), diffSpecs(b, a)];
        expect(there.added).toEqual(back.removed);
        expect(there.removed).toEqual(back.added);
        const named = (diff: SpecDiff) => diff.changed.map(({ id, field }) => `${id} ${field}`).sort();
        expect(named(there)).toEqual(named(back));
        expect(there.added.length - there.removed.length).toBe(b.ids.length - a.ids.length);
      }),
    );
  });

  it("truncates long values", () => {
    const long = "\u{1f600}".repeat(400);
    const ids = Array.from({ length: 100 }, (_, index) => `file-${index}`);
    const { changed } = diffOf(
      { op: "set", path: node("task-1-1", "title"), value: long },
      { op: "set", path: node("task-1-1", "metadata", "files"), value: ids },
    );
    expect(changed).toEqual([
      { id: "task-1-1", field: "title", before: "A task", after: `${long.slice(0, 500)}…` },
      { id: "task-1-1", field: "metadata.files", after: `${JSON.stringify(ids).slice(0, 500)}…` },
    ]);
  });

  it("counts removed journal entries", () => {
    const entries = [{ title: "one" }, { title: "two" }, { title: "three" }];
    const withJournal = (...journal: object[]) => new SpecModel({ ...base().document, journal });
    const [one, two, three] = entries as [object, object, object];
    expect(diffSpecs(withJournal(one, two), withJournal(one, three, two)).journal).toEqual({
      added: 2,
      removed: 1,
    });
    expect(diffSpecs(withJournal(one, two), withJournal(one)).journal).toEqual({ added: 0, removed: 1 });
  });

  it("accepts any stored values", () => {
    const deep = JSON.parse(`${"[".repeat(50_000)}${"]".repeat(50_000)}`);
    const odd = {
      spec_id: 7,
      metadata: [],
      hierarchy: { "spec-root": { metadata: null, deep }, x: { __proto__: null } },
      journal: "none",
    };
    const [one, two] = [new SpecModel(odd), parsed(base())];
    expect(diffSpecs(one, new SpecModel({ ...odd }))).toEqual(nothing);
    expect(diffSpecs(two, one).changed).toContainEqual({
      id: "spec-root",
      field: "deep",
      after: `${"[".repeat(500)}…`,
    });
    expect(diffSpecs(new SpecModel({}), one).added.map(({ id }) => id)).toEqual(["spec-root", "x"]);
  });
});
