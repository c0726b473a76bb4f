import { expect, test } from "vitest";
import { createIdSource, highestNumbers } from "./new-ids.ts";
import { SpecModel } from "./spec-model.ts";
import { specOf } from "./testing/arbitrary-spec.ts";

const spec = new SpecModel(
  specOf(
    "phase-1",
    "phase-1/phase-1-files",
    "phase-1-files/task-1-1",
    "task-1-1/task-1-1-1",
    "phase-1/task-1-10",
    "phase-1/verify-1-2",
    "phase-2",
    "phase-2/task-1-12",
    "phase-setup",
  ),
);

test.each([
  ["spec-root", "phase", "phase-3", "phase"],
  ["phase-1", "task", "task-1-13", "task-1"],
  ["phase-1-files", "task", "task-1-13", "task-1"],
  ["phase-1", "subtask", "task-1-13", "task-1"],
  ["phase-1", "verify", "verify-1-3", "verify-1"],
  ["phase-1", "research", "research-1-1", "research-1"],
  ["task-1-1", "subtask", "task-1-1-2", "task-1-1"],
  ["phase-2", "task", "task-2-1", "task-2"],
  ["phase-setup", "task", "task-phase-setup-1", "task-phase-setup"],
] as const)("below %s a %s is %s", (parent, type, id, prefix) => {
  const number = Number(id.split("-").at(-1));
  const ids = createIdSource(spec, {});
  expect(ids.next(parent, type)).toBe(id);
  expect(ids.marks).toEqual({ [prefix]: number });
});

test("a mark counts like an id that is there", () => {
  expect(createIdSource(spec, { "task-1": 40 }).next("phase-1", "task")).toBe("task-1-41");
  expect(createIdSource(spec, { "task-1": 4 }).next("phase-1", "task")).toBe("task-1-13");
  expect(createIdSource(spec, { constructor: 4 }).next("phase-1", "task")).toBe("task-1-13");
});

test("an id source returns each id once and records the numbers", () => {
  const ids = createIdSource(spec, {});
  expect([ids.next("phase-2", "task"), ids.next("phase-2", "task"), ids.next("phase-2", "verify")]).toEqual([
    "task-2-1",
    "task-2-2",
    "verify-2-1",
  ]);
  expect(ids.marks).toEqual({ "task-2": 2, "verify-2": 1 });
});

test("odd ids are no numbers", () => {
  expect(highestNumbers(["-1", "a", "a-", "a-x1", `a-${"9".repeat(16)}`, "a-02", "__proto__-3"])).toEqual(
    Object.fromEntries([
      ["a", 2],
      ["__proto__", 3],
    ]),
  );
});
