import { describe, expect, it } from "vitest";
import { repairNested } from "./repair-nested.ts";
import { ValuePool } from "./value-pool.ts";

const failure = (details: object, remediation = "") => ({ error: "no", data: { details, remediation } });
const pool = new ValuePool();
pool.learn({ task_id: "task-1" });

describe("repairNested", () => {
  it("takes the values that a failure suggests for a place in an argument", () => {
    const args = { id: "a", steps: [{ op: "x" }, { op: "test", note: 1 }] };
    const details = { field: "steps[1].op", constraint: "enum", expected: ["start", "stop"] };
    expect(repairNested(args, failure(details), pool)).toEqual([
      { id: "a", steps: [{ op: "x" }, { op: "start", note: 1 }] },
      { id: "a", steps: [{ op: "x" }, { op: "stop", note: 1 }] },
      { id: "a", steps: [{ op: "x" }, { op: "test", note: 1 }] },
    ]);
  });

  it("fills what is missing there from other answers, not from the words of the remedy", () => {
    const details = { errors: [{ field: "steps.0.task_id", constraint: "required" }] };
    expect(repairNested({ steps: [{}] }, failure(details, 'Use "list".'), pool)).toEqual([
      { steps: [{ task_id: "task-1" }] },
      { steps: [{ task_id: "test" }] },
    ]);
  });

  it.each(["id", "steps[3].op", "steps[0].op.deep", "other[0].op", "", 7])("has nothing for %j", (field) => {
    expect(repairNested({ id: "a", steps: [{ op: "x" }] }, failure({ field }), pool)).toEqual([]);
  });
});
