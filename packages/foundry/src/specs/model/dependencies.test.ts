import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { findCycle, findCycleAt, openBlockers } from "./dependencies.ts";
import { requireUnblocked } from "./require-ready.ts";
import { SpecModel } from "./spec-model.ts";
import { arbitrarySpec, specOf } from "./testing/arbitrary-spec.ts";
import { isDoable, nodesOf, pathToRoot } from "./testing/recount.ts";

/** Returns the dependency cycles that contain nodes of a spec. */
const circlesOf = (spec: SpecModel) =>
  spec.ids.map((id) => findCycleAt(spec, id)).filter((circle) => circle !== undefined);

describe("open blockers", () => {
  test("are those of the node and its ancestors, each once, without missing and completed ones", () => {
    const document = specOf(
      "phase-1",
      "phase-1/task-1-1 completed",
      "phase-1/task-1-2",
      "phase-2 < phase-1",
      "phase-2/task-2-1 < task-1-1 < task-1-2",
      "task-2-1/task-2-1-1 < task-1-2",
    );
    nodesOf(document)["task-2-1"]!.dependencies.blocked_by.push("task-9-9");
    const spec = new SpecModel(document);
    expect(openBlockers(spec, "task-2-1-1").map(({ id }) => id)).toEqual(["task-1-2", "phase-1"]);
    expect(openBlockers(spec, "task-1-2")).toEqual([]);
    expect(() => requireUnblocked(spec, "task-2-1-1", "start")).toThrow(
      "Cannot start task-2-1-1: it waits for task-1-2, phase-1",
    );
    expect(() => requireUnblocked(spec, "task-1-2", "start")).not.toThrow();
  });

  test("equal those of a simple search", () => {
    fc.assert(
      fc.property(arbitrarySpec(), (document) => {
        const nodes = nodesOf(document);
        const spec = new SpecModel(document);
        for (const id of spec.order) {
          const plain = pathToRoot(nodes, id)
            .flatMap((up) => nodes[up]!.dependencies.blocked_by)
            .filter((blocker) => nodes[blocker]!.status !== "completed");
          expect(openBlockers(spec, id).map((node) => node.id)).toEqual([...new Set(plain)]);
        }
      }),
      { numRuns: 50 },
    );
  });
});

describe("cycles", () => {
  const spec = () =>
    new SpecModel(
      specOf(
        "phase-1",
        "phase-1/task-1-1",
        "phase-1/task-1-2 < task-1-1",
        "phase-2 < phase-1",
        "phase-2/task-2-1",
      ),
    );

  test("that a dependency would close are returned as a path", () => {
    expect(findCycle(spec(), "task-1-1", "task-1-2")).toEqual(["task-1-1", "task-1-2", "task-1-1"]);
    expect(findCycle(spec(), "task-1-1", "task-2-1")).toEqual([
      "task-1-1",
      "task-2-1",
      "phase-2",
      "phase-1",
      "task-1-1",
    ]);
    expect(findCycle(spec(), "task-1-1", "phase-1")).toEqual(["task-1-1", "phase-1", "task-1-1"]);
    expect(findCycle(spec(), "phase-1", "task-1-1")).toEqual(["phase-1", "task-1-1", "phase-1"]);
    expect(findCycle(spec(), "task-2-1", "task-1-2")).toBeUndefined();
  });

  test("of a file are found from each of their nodes", () => {
    expect(circlesOf(spec())).toEqual([]);
    const document = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-2", "phase-2/task-2-1");
    const nodes = nodesOf(document);
    nodes["task-1-1"]!.dependencies.blocked_by = ["task-1-2", "task-1-2", "task-9-9"];
    nodes["task-1-2"]!.dependencies.blocked_by = ["task-1-1", "task-1-1"];
    nodes["task-2-1"]!.dependencies.blocked_by = ["phase-2"];
    const found = new SpecModel(document);
    expect(findCycleAt(found, "task-1-1")).toEqual(["task-1-1", "task-1-2", "task-1-1"]);
    expect(findCycleAt(found, "task-1-2")).toEqual(["task-1-2", "task-1-1", "task-1-2"]);
    expect(findCycleAt(found, "task-2-1")).toEqual(["task-2-1", "phase-2", "task-2-1"]);
    expect(findCycleAt(spec(), "task-1-1")).toBeUndefined();
  });

  test("of parents that are below themselves are none of dependencies", () => {
    const document = specOf("phase-1", "phase-1/task-1-1", "task-1-1/task-1-1-1");
    nodesOf(document)["task-1-1"]!.parent = "task-1-1-1";
    nodesOf(document)["task-1-1-1"]!.children = ["task-1-1"];
    expect(circlesOf(new SpecModel(document)).filter((circle) => circle.length > 0)).toEqual([]);
  });

  test("are found exactly if the work cannot be completed", () => {
    const links = fc.array(fc.tuple(fc.nat(), fc.nat()), { maxLength: 4 });
    fc.assert(
      fc.property(arbitrarySpec({ maxNodes: 30 }), links, (document, pairs) => {
        const nodes = nodesOf(document);
        const ids = Object.keys(nodes).filter((id) => id !== "spec-root");
        for (const [a, b] of pairs)
          nodes[ids[a % ids.length] as string]!.dependencies.blocked_by.push(ids[b % ids.length] as string);
        const circles = circlesOf(new SpecModel(document));
        expect(circles.length === 0).toBe(isDoable(document));
        for (const circle of circles) expect(circle.at(-1)).toBe(circle[0]);
      }),
      { numRuns: 300 },
    );
  });
});
