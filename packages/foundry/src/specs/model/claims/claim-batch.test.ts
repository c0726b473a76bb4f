import { expect, test } from "vitest";
import type { Lease } from "../lease.ts";
import type { SpecDocument } from "../spec-document.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf } from "../testing/recount.ts";
import { now, runChange } from "../testing/run-change.ts";
import { claimBatch } from "./claim-batch.ts";

/** Returns a spec of one phase with a task for each of the given metadata. */
function tasks(...all: readonly object[]): SpecDocument {
  const document = specOf("phase-1", ...all.map((_, index) => `phase-1/task-1-${index + 1}`));
  for (const [index, metadata] of all.entries())
    Object.assign(nodesOf(document)[`task-1-${index + 1}`]!.metadata, metadata);
  return document;
}

const file = (file_path: string, more: object = {}) => ({ file_path, ...more });

/** Returns the ids of the tasks that a batch claims, and the conflicting tasks. */
function batch(document: SpecDocument, max_tasks = 3, leases: readonly Lease[] = []) {
  const own = { leases: new Map(leases.map((lease) => [lease.task_id, lease])) };
  const { result } = runChange(document, claimBatch({ max_tasks }), own);
  if (!result.found) return result.reason;
  return [result.claimed.map(({ node }) => node.id), result.conflicting];
}

test("takes what does not overlap, in the order of work", () => {
  const document = tasks(file("src/a.ts"), file("src"), file("./src//a.ts"), file("test/a.ts"), file("docs"));
  expect(batch(document)).toEqual([
    ["task-1-1", "task-1-4", "task-1-5"],
    [
      { task_id: "task-1-2", overlaps: "task-1-1" },
      { task_id: "task-1-3", overlaps: "task-1-1" },
    ],
  ]);
});

test("takes the highest priority first, and no more than it is asked for", () => {
  const document = tasks(file("a"), file("b", { priority: "low" }), file("c", { priority: "critical" }));
  expect(batch(document, 2)).toEqual([["task-1-3", "task-1-1"], []]);
});

test("gives each task a token of its own in one change", () => {
  const { result, leases, edits } = runChange(
    tasks(file("a"), file("b")),
    claimBatch({ max_tasks: 3, holder: "ann" }),
  );
  const until = "2026-01-02T12:15:00.000Z";
  expect(result).toMatchObject({
    claimed: [
      { claim: { task_id: "task-1-1", claim_token: "1-abcd-1", holder: "ann", lease_until: until } },
      { claim: { task_id: "task-1-2", claim_token: "1-abcd-2", holder: "ann", lease_until: until } },
    ],
  });
  expect([Object.keys(leases ?? {}), edits]).toEqual([["task-1-1", "task-1-2"], []]);
});

test("hands out a task that names no file alone, with those that only read", () => {
  const reading = { task_category: "investigation" };
  expect(batch(tasks({}, file("a"), reading))).toEqual([["task-1-1", "task-1-3"], [{ task_id: "task-1-2" }]]);
  expect(batch(tasks(file("a"), {}, file("b")))).toEqual([
    ["task-1-1", "task-1-3"],
    [{ task_id: "task-1-2" }],
  ]);
});

test("leaves what overlaps with a task that somebody holds", () => {
  const lease = {
    task_id: "task-1-1",
    token: "1-a",
    holder: "ann",
    since: now,
    until: "2026-01-02T12:15:00.000Z",
  };
  const document = tasks(file("src"), file("src/b.ts"), file("docs"));
  expect(batch(document, 3, [lease])).toEqual([
    ["task-1-3"],
    [{ task_id: "task-1-2", overlaps: "task-1-1" }],
  ]);
  expect(batch(tasks(file("src"), file("src/b.ts")), 3, [lease])).toBe("in_progress");
});

test("does not take tasks that wait for each other", () => {
  const document = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2 < task-1-1");
  for (const id of ["task-1-1", "task-1-2"]) Object.assign(nodesOf(document)[id]!.metadata, file(id));
  expect(batch(document)).toEqual([["task-1-1"], []]);
});
