import { describe, expect, it } from "vitest";
import { addStepTokens, varySteps } from "./steps.ts";
import { ValuePool } from "./value-pool.ts";

const pool = new ValuePool();
pool.learn({ tasks: [{ spec_id: "s", task_id: "t-1", claim_token: "of t-1" }] });

describe("addStepTokens", () => {
  it("adds the token of what a step names, with the ids beside the list", () => {
    const steps = [{ op: "start", task_id: "t-1" }, { op: "start", task_id: "t-2" }, "t-1"];
    expect(addStepTokens({ spec_id: "s", operations: steps }, pool)).toEqual([
      {
        spec_id: "s",
        operations: [{ op: "start", task_id: "t-1", claim_token: "of t-1" }, ...steps.slice(1)],
      },
    ]);
  });

  it.each([
    ["without a list", { spec_id: "s", task_id: "t-1" }],
    ["of another spec", { spec_id: "x", operations: [{ task_id: "t-1" }] }],
    ["that has the token", { operations: [{ task_id: "t-1", claim_token: "of t-1" }] }],
  ])("adds nothing to a call %s", (_, args) => {
    expect(addStepTokens(args, pool)).toEqual([]);
  });
});

describe("varySteps", () => {
  it("names other things of the server in the first step of a list", () => {
    const known = new ValuePool();
    known.learn({ tasks: [{ task_id: "t-1" }, { task_id: "t-2" }, { task_id: "t-3" }] });
    const call = (task_id: string) => ({ spec_id: "s", operations: [{ op: "start", task_id }, "more"] });
    expect(varySteps(call("t-1"), known)).toEqual([call("t-2"), call("t-3")]);
  });
});
