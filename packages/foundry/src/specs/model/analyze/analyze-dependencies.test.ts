import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { openBlockers } from "../dependencies.ts";
import { awaitedWork } from "../readiness.ts";
import { SpecModel } from "../spec-model.ts";
import { brokenSpecs } from "../validate/testing/spec-arbitraries.ts";
import { analyzeDependencies } from "./analyze-dependencies.ts";

/**
 * Returns a spec with tasks below one phase. Each task is given with the ids of the tasks for which it waits.
 */
function specOf(tasks: Readonly<Record<string, readonly string[]>>, done: readonly string[] = []): SpecModel {
  const nodes = Object.entries(tasks).map(([id, blockedBy]) => [
    id,
    {
      ...{ type: "task", title: id.toUpperCase(), parent: "phase-1", children: [] },
      status: done.includes(id) ? "completed" : "pending",
      dependencies: { blocked_by: blockedBy },
    },
  ]);
  return new SpecModel({
    hierarchy: {
      "spec-root": { type: "spec", parent: null, children: ["phase-1"] },
      "phase-1": { type: "phase", parent: "spec-root", children: Object.keys(tasks) },
      ...Object.fromEntries(nodes),
    },
  });
}

describe("analyzeDependencies", () => {
  it("counts dependencies and finds bottlenecks", () => {
    const spec = specOf({ a: [], b: ["a"], c: ["a", "b"], d: ["a", "ghost"], e: ["c", "b"], f: [] }, ["f"]);
    expect(analyzeDependencies(spec, { bottleneckThreshold: 2 })).toEqual({
      dependency_count: 6,
      bottlenecks: [
        { task_id: "a", title: "A", status: "pending", blocks_count: 3 },
        { task_id: "b", title: "B", status: "pending", blocks_count: 2 },
      ],
      circular_deps: [],
      has_cycles: false,
      longest_chain: ["a", "b", "c", "e"],
      ready: ["a"],
    });
    expect(analyzeDependencies(spec).bottlenecks.map(({ task_id: id }) => id)).toEqual(["a"]);
  });

  it("finds cycles, and chains outside them", () => {
    const spec = specOf({ a: ["b"], b: ["c"], c: ["a"], d: ["a"], e: ["d"], f: ["f"] });
    expect(analyzeDependencies(spec)).toEqual({
      dependency_count: 6,
      bottlenecks: [],
      circular_deps: [
        ["a", "b", "c", "a"],
        ["f", "f"],
      ],
      has_cycles: true,
      longest_chain: ["d", "e"],
      ready: [],
    });
  });

  it("finds nothing in a spec without dependencies, and caps what is ready", () => {
    expect(analyzeDependencies(specOf({ a: [], b: [], c: [] }), { maxReady: 2 })).toEqual({
      dependency_count: 0,
      bottlenecks: [],
      circular_deps: [],
      has_cycles: false,
      longest_chain: [],
      ready: ["a", "b"],
    });
  });

  it("lists as ready exactly the tasks that may be started", () => {
    fc.assert(
      fc.property(brokenSpecs, (document) => {
        const spec = new SpecModel(document);
        const expected = spec.order.filter((id) => {
          const node = spec.node(id);
          const isOpen = node?.status === "pending" && spec.isCounted(node);
          return isOpen && openBlockers(spec, id).length === 0 && awaitedWork(spec, node) === undefined;
        });
        expect(analyzeDependencies(spec).ready).toEqual(expected);
      }),
      { numRuns: 500 },
    );
  });

  it("follows chains of 20,000", () => {
    const ids = Array.from({ length: 20_000 }, (_, index) => `t${index}`);
    const spec = specOf(
      Object.fromEntries(ids.map((id, index) => [id, index === 0 ? [] : [`t${index - 1}`]])),
    );
    expect(analyzeDependencies(spec).longest_chain).toEqual(ids);
  });
});
