import fc from "fast-check";
import { expect, test } from "vitest";
import { findNextTask, readyTasks, type TaskLeases } from "./next-task.ts";
import type { SpecDocument } from "./spec-document.ts";
import { SpecModel } from "./spec-model.ts";
import { arbitrarySpec, specOf } from "./testing/arbitrary-spec.ts";
import { naiveReadiness } from "./testing/naive-readiness.ts";
import { nodesOf, pathToRoot } from "./testing/recount.ts";

const atWork = (held: readonly string[], abandoned: readonly string[] = []): TaskLeases => ({
  isHeld: (id) => held.includes(id),
  isExpired: (id) => abandoned.includes(id),
});

const next = (document: SpecDocument, others?: TaskLeases) => {
  const found = findNextTask(new SpecModel(document), others);
  return found.found ? found.node.id : found.reason;
};

/** Returns all ready tasks in the order of work. Every node is examined. */
function ready(document: SpecDocument): readonly string[] {
  const nodes = nodesOf(document);
  const { isReady } = naiveReadiness(document);
  const isHeldUp = (id: string) => nodes[id]!.status === "blocked" && nodes[id]!.children.length > 0;
  const visit = (id: string): readonly string[] => {
    const { children, type, status } = nodes[id]!;
    if (children.length > 0) return children.flatMap(visit);
    const isWork = ["task", "subtask", "verify"].includes(type);
    return isWork && status === "pending" && isReady(id) && !pathToRoot(nodes, id).slice(0, -1).some(isHeldUp)
      ? [id]
      : [];
  };
  return visit("spec-root").filter((id) => id !== "spec-root");
}

test("is the first free task that a search of all nodes finds", () => {
  fc.assert(
    fc.property(arbitrarySpec(), fc.nat(5), (document, taken) => {
      const all = ready(document);
      const found = findNextTask(new SpecModel(document), atWork(all.slice(0, taken)));
      expect(found.found ? found.node.id : undefined).toBe(all[taken]);
    }),
    { numRuns: 200 },
  );
});

test("follows the order of children, not of ids", () => {
  expect(
    next(specOf("phase-2", "phase-2/task-1-10", "phase-2/task-1-2", "phase-1", "phase-1/task-1-1")),
  ).toBe("task-1-10");
});

test("goes to another phase when the first has nothing that may start", () => {
  const lines = ["phase-1", "phase-1/task-1-1 in_progress", "phase-1/task-1-2 < task-1-1"];
  expect(next(specOf(...lines, "phase-2", "phase-2/task-2-1"))).toBe("task-2-1");
});

test("does not look below what is blocked", () => {
  const lines = ["phase-1", "phase-1/task-1-1 blocked", "task-1-1/task-1-1-1", "phase-1/task-1-2"];
  expect(next(specOf(...lines))).toBe("task-1-2");
});

test.each([
  [["phase-1"], "empty"],
  [["phase-1", "phase-1/research-1-1"], "empty"],
  [["phase-1", "phase-1/task-1-1 completed"], "complete"],
  [["phase-1", "phase-1/task-1-1 in_progress"], "in_progress"],
  [["phase-1", "phase-1/task-1-1 blocked"], "blocked"],
  [["phase-1", "phase-1/task-1-1 in_progress", "phase-1/task-1-2 < task-1-1"], "blocked"],
])("of %j there is none: %s", (lines, reason) => {
  expect(next(specOf(...lines))).toBe(reason);
});

test("is none while a task is held: in_progress", () => {
  const spec = specOf("phase-1", "phase-1/task-1-1");
  expect(next(spec, atWork(["task-1-1"]))).toBe("in_progress");
});

const priorities = ["critical", "high", "medium", "low"] as const;

/** Sets the priorities of nodes. */
function withPriorities(document: SpecDocument, own: Readonly<Record<string, unknown>>): SpecDocument {
  for (const [id, priority] of Object.entries(own))
    Object.assign(nodesOf(document)[id]!.metadata, { priority });
  return document;
}

test("is the highest priority of the first phase with a ready task, and the first of equals", () => {
  const ids = fc.array(fc.option(fc.constantFrom(...priorities, "urgent"), { nil: undefined }), {
    minLength: 40,
    maxLength: 40,
  });
  fc.assert(
    fc.property(arbitrarySpec({ maxNodes: 40 }), ids, (document, chosen) => {
      const nodes = nodesOf(document);
      const own = Object.fromEntries(
        Object.keys(nodes).flatMap((id, index) => (chosen[index] === undefined ? [] : [[id, chosen[index]]])),
      );
      withPriorities(document, own);
      const all = ready(document);
      const phase = (id: string) => pathToRoot(nodes, id).at(-2);
      const first = all.filter((id) => phase(id) === phase(all[0] ?? ""));
      const rank = (id: string) => {
        const place = (priorities as readonly unknown[]).indexOf(own[id]);
        return place === -1 ? 2 : place;
      };
      const best = first.toSorted((a, b) => rank(a) - rank(b))[0];
      const found = findNextTask(new SpecModel(document));
      expect(found.found ? found.node.id : undefined).toBe(best);
      const handedOut = [...readyTasks(new SpecModel(document), atWork([]), () => true)].map(({ id }) => id);
      expect([handedOut[0], handedOut.toSorted()]).toEqual([best, all.toSorted()]);
    }),
    { numRuns: 200 },
  );
});

test("is a task of a later phase only where the first has none, whatever its priority", () => {
  const document = specOf("phase-1", "phase-1/task-1-1", "phase-2", "phase-2/task-2-1");
  expect(next(withPriorities(document, { "task-1-1": "low", "task-2-1": "critical" }))).toBe("task-1-1");
});

test("sees a priority that a change sets", () => {
  const spec = new SpecModel(specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"));
  expect(spec.hasPriorities).toBe(false);
  const path = ["hierarchy", "task-1-2", "metadata", "priority"];
  const after = spec.after([{ op: "set", path, value: "high" }]);
  expect([after.hasPriorities, findNextTask(after)]).toMatchObject([true, { node: { id: "task-1-2" } }]);
});

test("is one that the filter selects, or no_match", () => {
  const spec = new SpecModel(specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"));
  const only = (id: string) => findNextTask(spec, atWork([]), (node) => node.id === id);
  expect(only("task-1-2")).toMatchObject({ node: { id: "task-1-2" } });
  expect(only("task-9-9")).toEqual({ found: false, reason: "no_match" });
});
