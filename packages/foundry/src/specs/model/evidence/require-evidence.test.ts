import { expect, test } from "vitest";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { addTask } from "../changes/add-task.ts";
import { addVerification } from "../changes/add-verification.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { failureOf, runChange } from "../testing/run-change.ts";
import { guardEvidence } from "./require-evidence.ts";

const spec = specOf("phase-1", "phase-1/task-1-1 completed", "phase-1/verify-1-1");
const done = specOf(
  "phase-1",
  "phase-1/task-1-1 completed",
  "phase-1/task-1-2 completed",
  "phase-1/verify-1-1 completed",
);

const making =
  (...edits: readonly Edit[]): Plan<number> =>
  () => ({ edits, result: edits.length });
const set = (id: string, key: string, value: string): Edit => ({
  op: "set",
  path: ["hierarchy", id, key],
  value,
});
const demand = (id: string): Edit => ({
  op: "set",
  path: ["hierarchy", id, "metadata", "evidence"],
  value: "required",
});

test.each([
  ["a status that is set", spec, [demand("verify-1-1"), set("verify-1-1", "status", "completed")]],
  ["a demand that comes after", done, [demand("verify-1-1")]],
  ["another type", done, [demand("task-1-2"), set("task-1-2", "type", "verify")]],
] as const)("%s does not pass the gate", (_, document, edits) => {
  expect(failureOf(document, guardEvidence(making(...edits)))).toMatchObject({ code: "INVALID_STATE" });
});

test("a completed node without the requirement, or an open one with it, passes", () => {
  expect(runChange(spec, guardEvidence(making(demand("verify-1-1")))).result).toBe(1);
  expect(runChange(spec, guardEvidence(making(set("verify-1-1", "status", "completed")))).result).toBe(1);
});

test.each(["verification_history", "last_result", "last_verified_at"])(
  "no new task brings its own %s",
  (key) => {
    const add = addTask({ parent: "phase-1", title: "New", type: "verify", metadata: { [key]: [] } });
    expect(failureOf(spec, add)).toMatchObject({
      code: "VALIDATION_ERROR",
      details: { field: `metadata.${key}` },
    });
  },
);

test("PASSED alone is not evidence", () => {
  const gated = runChange(spec, making(demand("verify-1-1"))).document;
  const passed = { verify_id: "verify-1-1", result: "PASSED" as const };
  expect(failureOf(gated, addVerification(passed))).toMatchObject({ code: "VALIDATION_ERROR" });
  expect(runChange(gated, addVerification({ ...passed, notes: "I looked" })).result.is_required).toBe(true);
  expect(runChange(gated, addVerification({ ...passed, result: "FAILED" })).result.result).toBe("FAILED");
  expect(runChange(spec, addVerification(passed)).result.is_required).toBe(false);
});
