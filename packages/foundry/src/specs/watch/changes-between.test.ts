import { expect, it } from "vitest";
import { SpecModel } from "../model/spec-model.ts";
import { leaseChanges, listChanges } from "./changes-between.ts";
import { listSpecChanges } from "./spec-changes.ts";
import { snapshotOf, summaryOf, type TaskShape, watchedDocument } from "./testing/watched-spec.ts";

const modelOf = (tasks: Readonly<Record<string, TaskShape>>) =>
  new SpecModel(watchedDocument("x", "X", { One: tasks }));

it("describes changes of a spec", () => {
  const before = summaryOf(snapshotOf(watchedDocument("x", "X", { One: { a: {}, b: {} } }), "pending"));
  const after = { ...before, revision: "8-00000000" };
  expect(listChanges(undefined, undefined)).toEqual([]);
  expect(listChanges(undefined, before)).toEqual(["added"]);
  expect(listChanges(before, undefined)).toEqual(["removed"]);
  expect(listChanges(before, before)).toEqual([]);
  expect(listChanges(before, after)).toEqual(["edited"]);
  expect(listChanges(before, { ...after, progress: { total: 2, completed: 1 } })).toEqual([
    "1 of 2 done, was 0 of 2",
  ]);
  const started = { verb: "started", task_id: "a", title: "Do a" } as const;
  const journaled = { verb: "journaled", title: "Spec moved" } as const;
  expect(listChanges(before, after, [started])).toEqual(["a started: Do a"]);
  expect(listChanges(before, after, [journaled])).toEqual(["journaled: Spec moved"]);
  expect(listChanges(before, { ...after, folder: "active" }, [journaled])).toEqual([
    "moved from pending to active",
  ]);
  expect(listChanges(before, { ...after, folder: "active" }, [started])).toEqual([
    "moved from pending to active",
    "a started: Do a",
  ]);
});

it("limits the number of messages", () => {
  const ids = Array.from({ length: 500 }, (_, index) => `task-${index}`);
  const all = (status: string) => modelOf(Object.fromEntries(ids.map((id) => [id, { status }])));
  const summary = summaryOf(snapshotOf(watchedDocument("x", "X", { One: {} }), "pending"));
  const changes = listSpecChanges(all("pending"), all("completed"));
  const messages = listChanges(summary, { ...summary, revision: "8-00000000" }, changes);
  expect(messages).toHaveLength(8);
  expect(messages.at(-1)).toBe("and 493 more");
});

it("describes taken and released leases", () => {
  const now = "2026-01-02T12:00:00.000Z";
  const of = (task_id: string, holder: string, until = "2026-01-02T12:10:00.000Z") => ({
    task_id,
    holder,
    until,
    title: "",
  });
  expect(leaseChanges([of("a", "x"), of("b", "y")], [of("a", "z"), of("c", "x")], now)).toEqual([
    "z holds a",
    "x holds c",
    "y holds b no more",
  ]);
  // A renewed lease is not reported, and an expired lease does not count as held.
  expect(leaseChanges([of("a", "x")], [of("a", "x", "2026-01-02T13:00:00.000Z")], now)).toEqual([]);
  expect(leaseChanges([of("a", "x", "2026-01-02T11:00:00.000Z")], [], now)).toEqual([]);
});
