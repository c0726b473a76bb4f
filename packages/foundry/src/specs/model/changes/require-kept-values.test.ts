import { isRecord, type JsonValue } from "@foundry-mcp/contract";
import { expect, test } from "vitest";
import { applyEdits } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { failureOf, runChange } from "../testing/run-change.ts";
import { addJournalEntry } from "./add-journal-entry.ts";
import { addReview } from "./add-review.ts";
import { addTask } from "./add-task.ts";
import { addVerification } from "./add-verification.ts";
import { addDependency } from "./change-dependency.ts";
import { startTask } from "./start-task.ts";
import { unblockTask } from "./unblock-task.ts";
import { updateSpec } from "./update-spec.ts";

const spec = specOf("phase-1", "phase-1/task-1-1", "phase-1/task-1-2", "phase-1/verify-1-1");
const start = startTask({ task_id: "task-1-1" });
const unblock = unblockTask({ task_id: "task-1-1" });
const link = addDependency({ task_id: "task-1-1", depends_on: "task-1-2" });
const write = addJournalEntry({ title: "T", content: "C" });
const verify = addVerification({ verify_id: "verify-1-1", result: "PASSED" });
const review = addReview({ verdict: "commented", summary: "S" });
const addSubtask = addTask({ parent: "task-1-1", title: "T" });
const task = "hierarchy.task-1-1";
const check = "hierarchy.verify-1-1";

test.each<readonly [string, JsonValue, string, Plan<unknown>]>([
  ["journal", { a: 1 }, 'spec "made-up-2026-01-01-001": its field journal is an object, not a list', write],
  ["journal", "once", 'spec "made-up-2026-01-01-001": its field journal is a string, not a list', start],
  [
    "metadata",
    "kept",
    'spec "made-up-2026-01-01-001": its field metadata is a string, not an object',
    updateSpec({ mission: "M" }),
  ],
  [
    "metadata.reviews",
    true,
    'spec "made-up-2026-01-01-001": its field metadata.reviews is a boolean, not a list',
    review,
  ],
  [`${task}.metadata`, [1], "task-1-1: its field metadata is a list, not an object", start],
  [`${task}.children`, { a: 1 }, "task-1-1: its field children is an object, not a list", addSubtask],
  [`${task}.dependencies`, ["x"], "task-1-1: its field dependencies is a list, not an object", link],
  [
    `${task}.dependencies.blocked_by`,
    "x",
    "task-1-1: its field dependencies.blocked_by is a string, not a list",
    link,
  ],
  [
    `${check}.metadata.verification_history`,
    5,
    "verify-1-1: its field metadata.verification_history is a number, not a list",
    verify,
  ],
])("%s keeps %j", (place, value, message, plan) => {
  const document = withValue(place, value);
  const [, field = "", found = "", expected = ""] = /field (\S+) is (.*), not (.*)$/.exec(message) ?? [];
  expect(failureOf(document, plan)).toEqual({
    code: "INVALID_STATE",
    message: `Cannot change ${message}`,
    remediation: expect.stringContaining(`Make ${field} ${expected} in the file`),
    details: { spec_id: "made-up-2026-01-01-001", field: place, found, expected },
  });
});

test.each([undefined, null, "", []])("%j is replaced", (value) => {
  const path = ["hierarchy", "task-1-1", "metadata"];
  const document = applyEdits(spec, [
    value === undefined ? { op: "remove", path } : { op: "set", path, value },
  ]);
  expect(runChange(document, start).result).toMatchObject({ status: "in_progress" });
});

function withValue(place: string, value: JsonValue) {
  const path = place.split(".");
  const owners = path.slice(1).map((_, index) => path.slice(0, index + 1));
  const storedAt = (at: readonly string[]) =>
    at.reduce<unknown>((value, key) => (isRecord(value) ? value[key] : undefined), spec);
  const missing = owners.filter((at) => storedAt(at) === undefined);
  return applyEdits(spec, [
    ...missing.map((at) => ({ op: "set" as const, path: at, value: {} })),
    { op: "set", path, value },
  ]);
}

test("a field that the caller sets takes the caller's value, whatever its kind was", () => {
  const path = ["metadata"];
  const document = applyEdits(spec, [{ op: "set", path, value: { labels: "one" } }]);
  const { document: after } = runChange(document, updateSpec({ labels: ["two"] }));
  expect(after["metadata"]).toEqual({ labels: ["two"] });
});

test("a task that is unblocked keeps its earlier blockers, whatever they are", () => {
  const document = applyEdits(spec, [
    { op: "set", path: ["hierarchy", "task-1-1", "status"], value: "blocked" },
    { op: "set", path: ["hierarchy", "task-1-1", "metadata"], value: { resolved_blockers: "kept" } },
  ]);
  expect(failureOf(document, unblock)).toMatchObject({
    code: "INVALID_STATE",
    message: "Cannot change task-1-1: its field metadata.resolved_blockers is a string, not a list",
  });
});
