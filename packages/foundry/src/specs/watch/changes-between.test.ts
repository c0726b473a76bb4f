import { expect, it } from "vitest";
import { SpecModel } from "../model/spec-model.ts";
import { leaseChanges, listChanges, taskChanges } from "./changes-between.ts";
import { snapshotOf, summaryOf, type TaskShape, watchedDocument } from "./testing/watched-spec.ts";

const modelOf = (tasks: Readonly<Record<string, TaskShape>>) =>
  new SpecModel(watchedDocument("x", "X", { One: tasks }));

it("describes changes of a spec", () => {
  const before = summaryOf(snapshotOf(watchedDocument("x", "X", { One: { a: {}, b: {} } }), "pending"));
  const after = { ...before, revision: "8-00000000" };
  expect(listChanges(undefined, undefined)).toEqual([]);
  expect(listChanges(undefined, before)).toEqual(["is new"]);
  expect(listChanges(before, undefined)).toEqual(["is gone"]);
  expect(listChanges(before, before)).toEqual([]);
  expect(listChanges(before, after)).toEqual(["was changed"]);
  expect(listChanges(before, { ...after, folder: "active", progress: { total: 2, completed: 1 } })).toEqual([
    "is active now, was pending",
    "1 of 2 done, was 0 of 2",
  ]);
});

it("describes changes of tasks", () => {
  const before = modelOf({ a: {}, b: { status: "in_progress" }, c: {} });
  const after = modelOf({
    a: { status: "in_progress" },
    b: { status: "completed" },
    d: { title: "New one" },
  });
  expect(taskChanges(before, before)).toEqual([]);
  expect(taskChanges(before, after)).toEqual([
    "a is in progress: Do a",
    "b is completed: Do b",
    "d is new: New one",
    "c is gone",
  ]);
});

it("limits the number of messages", () => {
  const ids = Array.from({ length: 500 }, (_, index) => `task-${index}`);
  const all = (status: string) => modelOf(Object.fromEntries(ids.map((id) => [id, { status }])));
  const messages = taskChanges(all("pending"), all("completed"));
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
  // One that is renewed is no news; one that has run out holds nothing.
  expect(leaseChanges([of("a", "x")], [of("a", "x", "2026-01-02T13:00:00.000Z")], now)).toEqual([]);
  expect(leaseChanges([of("a", "x", "2026-01-02T11:00:00.000Z")], [], now)).toEqual([]);
});
