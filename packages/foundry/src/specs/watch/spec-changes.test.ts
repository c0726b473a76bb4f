import { expect, it } from "vitest";
import type { Edit } from "../../files/json-text/edit.ts";
import { SpecModel } from "../model/spec-model.ts";
import { listSpecChanges } from "./spec-changes.ts";
import { type TaskShape, watchedDocument } from "./testing/watched-spec.ts";

const modelOf = (tasks: Readonly<Record<string, TaskShape>>) =>
  new SpecModel(watchedDocument("x", "X", { One: tasks }));
const linesOf = (before: SpecModel, after: SpecModel) =>
  listSpecChanges(before, after).map(({ verb, task_id = "", title = "" }) => `${task_id} ${verb} ${title}`);

it.each([
  ["pending", "in_progress", "started"],
  ["pending", "completed", "completed"],
  ["in_progress", "completed", "completed"],
  ["in_progress", "blocked", "blocked"],
  ["in_progress", "pending", "put back"],
  ["blocked", "pending", "unblocked"],
  ["blocked", "in_progress", "unblocked"],
  ["completed", "pending", "reopened"],
] as const)("derives the verb of a status: %s to %s is %s", (from, to, verb) => {
  expect(listSpecChanges(modelOf({ a: { status: from } }), modelOf({ a: { status: to } }))).toEqual([
    { verb, task_id: "a", title: "Do a" },
  ]);
});

it("derives what was added, removed, edited and reordered", () => {
  const before = modelOf({ a: {}, b: {}, c: {} });
  expect(listSpecChanges(before, before)).toEqual([]);
  expect(linesOf(before, modelOf({ a: {}, b: {}, d: { title: "New one" } }))).toEqual([
    "d added New one",
    "c removed ",
  ]);
  expect(linesOf(before, modelOf({ a: { title: "Other" }, b: {}, c: {} }))).toEqual(["a edited Other"]);
  expect(linesOf(before, modelOf({ b: {}, a: {}, c: {} }))).toEqual(["phase-1 reordered One"]);
});

it("derives a move to another parent, and what concerns no node", () => {
  const before = new SpecModel(watchedDocument("x", "X", { One: { a: {} }, Two: { b: {} } }));
  const after = new SpecModel(watchedDocument("x", "X", { One: {}, Two: { b: {}, a: {} } }));
  expect(linesOf(before, after)).toEqual(["a moved Do a"]);
  const edit = (...edits: Edit[]) => before.after(edits);
  expect(linesOf(before, edit({ op: "set", path: ["title"], value: "Y" }))).toEqual([" edited "]);
  const journal = [{ title: "Units", content: "Metres" }];
  expect(linesOf(before, edit({ op: "set", path: ["journal"], value: journal }))).toEqual([
    " journaled Units",
  ]);
});
