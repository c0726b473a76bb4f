import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { progressOf, SpecModel } from "./spec-model.ts";
import { arbitrarySpec, specOf } from "./testing/arbitrary-spec.ts";
import { nodesOf, pathToRoot, recount } from "./testing/recount.ts";

test("tallies and order equal those of a simple recursion", () => {
  fc.assert(
    fc.property(arbitrarySpec(), (document) => {
      const nodes = nodesOf(document);
      const visit = (id: string): readonly string[] => [id, ...nodes[id]!.children.flatMap(visit)];
      const spec = new SpecModel(document);
      expect(["spec-root", ...spec.order]).toEqual(visit("spec-root"));
      for (const id of spec.ids) {
        const { total, completed } = recount(document, id);
        expect(spec.tally(id)).toEqual({ total, completed });
        expect(spec.ancestry(id).map((node) => node.id)).toEqual(pathToRoot(nodes, id));
      }
    }),
    { numRuns: 100 },
  );
});

test("the same whether nodes were read before or not", () => {
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 50 }), (document) => {
      const read = new SpecModel(document);
      for (const id of read.ids) read.node(id);
      const fresh = new SpecModel(document);
      expect(read.order).toEqual(fresh.order);
      for (const id of read.ids) expect(read.tally(id)).toEqual(fresh.tally(id));
    }),
    { numRuns: 50 },
  );
});

describe("a broken file", () => {
  test("is read as far as it is valid", () => {
    const spec = new SpecModel({
      spec_id: 7,
      hierarchy: {
        "spec-root": { children: ["a", "a", "b", 4, "gone", "spec-root"] },
        a: { type: "odd", status: "odd", title: 3, children: "no", dependencies: [], metadata: null },
        b: 5,
      },
      journal: [1, {}],
    });
    expect(spec.id).toBe("");
    expect(spec.title).toBe("spec-root");
    expect(spec.metadata).toEqual({});
    expect(spec.journal).toEqual([{}]);
    expect(spec.node("spec-root")?.children).toEqual(["a", "b"]);
    expect(spec.node("a")).toMatchObject({
      type: "task",
      status: "pending",
      title: "a",
      parent: null,
      children: [],
      blockedBy: [],
      metadata: {},
    });
    expect(spec.node("b")).toBeUndefined();
    expect(spec.node("toString")).toBeUndefined();
    expect(spec.order).toEqual(["a", "b"]);
    expect(spec.tally("spec-root")).toEqual({ total: 1, completed: 0 });
    expect(spec.tally("gone")).toEqual({ total: 0, completed: 0 });
  });

  test.each([[undefined], [null], [[]], ["text"]])("with %j for a hierarchy is empty", (hierarchy) => {
    const spec = new SpecModel({ hierarchy });
    expect([spec.ids, spec.order, spec.tally("spec-root")]).toEqual([[], [], { total: 0, completed: 0 }]);
  });

  test("with cycles is traversed once", () => {
    const document = specOf("phase-1", "phase-1/task-1-1", "task-1-1/task-1-1-1");
    nodesOf(document)["task-1-1-1"]!.children = ["phase-1", "spec-root"];
    nodesOf(document)["phase-1"]!.parent = "task-1-1-1";
    const spec = new SpecModel(document);
    expect(spec.order).toEqual(["phase-1", "task-1-1", "task-1-1-1"]);
    expect(spec.ancestry("phase-1").map(({ id }) => id)).toEqual(["phase-1", "task-1-1-1", "task-1-1"]);
  });

  test("with a node in two places counts it once", () => {
    const document = specOf("phase-1", "phase-1/task-1-1 completed", "phase-2", "phase-2/task-2-1");
    nodesOf(document)["phase-2"]!.children.push("task-1-1");
    expect(new SpecModel(document).tally("spec-root")).toEqual({ total: 2, completed: 1 });
  });
});

test("nests as deeply as a file does", () => {
  const hierarchy: Record<string, unknown> = { "spec-root": { type: "spec", children: ["t0"] } };
  for (let index = 0; index < 50_000; index++)
    hierarchy[`t${index}`] = { type: "task", status: "pending", children: [`t${index + 1}`] };
  expect(new SpecModel({ hierarchy }).tally("spec-root")).toEqual({ total: 1, completed: 0 });
});

test.each([
  [0, 0, 0],
  [0, 3, 0],
  [1, 3, 33],
  [2, 3, 66],
  [999, 1000, 99],
  [3, 3, 100],
])("%i of %i is %i %%", (completed, total, percentage) => {
  expect(progressOf({ completed, total })).toEqual({ completed, total, percentage });
});
