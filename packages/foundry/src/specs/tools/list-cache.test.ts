import { pageSiblings } from "@foundry-mcp/contract/paging";
import type { Pager } from "@foundry-mcp/toolkit";
import fc from "fast-check";
import { expect, test } from "vitest";
import type { Edit } from "../../files/json-text/edit.ts";
import { findNextTask } from "../model/next-task.ts";
import { SpecModel } from "../model/spec-model.ts";
import { arbitrarySpec, specOf } from "../model/testing/arbitrary-spec.ts";
import { cachedMatchingIds, cachedNextTask, cachedTaskIds, cachedTree, toNodePage } from "./list-cache.ts";

const query = { tool: "task", action: "query", filters: {} };
const isOpen = ({ status }: { readonly status: string }) => status !== "completed";

/** Creates a pager for one call. The pager stores the cursor of the next page. */
function pagerOf(limit: number, cursor: string | undefined) {
  let next: string | null = null;
  const siblings: Pager["siblings"] = (rows, by) => {
    const page = pageSiblings(rows, { query, limit, cursor, ...by });
    next = page.pagination.cursor;
    return [...page.rows];
  };
  return { page: { siblings } as Pager, next: () => next ?? undefined };
}

function setStatus(id: string, value: string): Edit {
  return { op: "set", path: ["hierarchy", id, "status"], value };
}

test("pages through a changing list as a linear search would", () => {
  const cases = arbitrarySpec({ maxNodes: 60 }).chain((document) => {
    const ids = new SpecModel(document).ids;
    const step = fc.tuple(fc.constantFrom(...ids), fc.constantFrom("completed", "pending"));
    return fc.tuple(fc.constant(document), fc.array(step, { maxLength: 12 }), fc.integer({ min: 1, max: 4 }));
  });
  fc.assert(
    fc.property(cases, ([document, steps, limit]) => {
      let model = new SpecModel(document);
      let cursor: string | undefined;
      for (const [id, status] of steps) {
        const open = cachedTaskIds(model).filter((each) => isOpen(model.node(each)!));
        expect(cachedMatchingIds(model, "open", isOpen)).toEqual(open);
        const searched = () => pageSiblings(open, { query, limit, cursor, id: (each) => each });
        const pager = pagerOf(limit, cursor);
        const cut = () => toNodePage(model, cachedMatchingIds(model, "open", isOpen), pager.page);
        const [mine, theirs] = [attempt(cut), attempt(searched)];
        if (mine === "refused" || theirs === "refused") {
          expect([mine, theirs]).toEqual(["refused", "refused"]);
          cursor = undefined;
        } else {
          expect(mine.map((node) => node.id)).toEqual(theirs.rows);
          expect(pager.next()).toBe(theirs.pagination.cursor ?? undefined);
          cursor = pager.next();
        }
        model = model.after([setStatus(id, status)]);
      }
    }),
    { numRuns: 200 },
  );
});

function attempt<R>(run: () => R): R | "refused" {
  try {
    return run();
  } catch {
    return "refused";
  }
}

test("caches lists for each spec", () => {
  const before = new SpecModel(specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"));
  const after = before.after([setStatus("task-1-1", "completed")]);
  for (const model of [before, after, before]) {
    expect(cachedNextTask(model)).toEqual(findNextTask(model));
    expect(cachedNextTask(model)).toBe(cachedNextTask(model));
  }
  expect(cachedMatchingIds(before, "open", isOpen)).toEqual(["task-1-1", "task-1-2"]);
  expect(cachedMatchingIds(after, "open", isOpen)).toEqual(["task-1-2"]);
  expect(cachedTaskIds(after)).toBe(cachedTaskIds(before));
  expect(cachedMatchingIds(after, "open", isOpen)).toBe(cachedMatchingIds(after, "open", isOpen));
});

test("recomputes every list after a change of the tree", () => {
  const before = new SpecModel(specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2"));
  const root = before.node("spec-root")!;
  const rowsOf = (model: SpecModel) =>
    cachedTree(model, root, 2).rows.map(({ id, depth }) => `${depth} ${id}`);
  expect(rowsOf(before)).toEqual(["0 spec-root", "1 phase-1", "2 task-1-1", "2 task-1-2"]);
  expect(cachedTree(before, root, 1).rows).toHaveLength(2);
  const after = before.after([{ op: "remove", path: ["hierarchy", "phase-1", "children", 0] }]);
  expect(rowsOf(after)).toEqual(["0 spec-root", "1 phase-1", "2 task-1-2"]);
  expect(cachedTree(after, root, 2).placeOf("task-1-2")).toBe(2);
  expect(cachedTree(after, root, 2).placeOf("task-1-1")).toBeUndefined();
  expect(cachedTaskIds(after)).toEqual(["task-1-2"]);
});

test("keeps the most recently used lists", () => {
  const model = new SpecModel(specOf("phase-1", "phase-1/task-1-1"));
  const first = cachedMatchingIds(model, "0", isOpen);
  for (let index = 1; index < 8; index++) cachedMatchingIds(model, String(index), isOpen);
  expect(cachedMatchingIds(model, "0", isOpen)).toBe(first);
  const second = cachedMatchingIds(model, "1", isOpen);
  for (let index = 8; index < 15; index++) cachedMatchingIds(model, String(index), isOpen);
  expect(cachedMatchingIds(model, "1", isOpen)).toBe(second);
  expect(cachedMatchingIds(model, "0", isOpen)).not.toBe(first);
});
