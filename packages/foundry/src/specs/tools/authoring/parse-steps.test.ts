import { isContractError } from "@foundry-mcp/contract";
import { describe, expect, test } from "vitest";
import { applySteps } from "../../model/changes/apply-steps.ts";
import { specOf } from "../../model/testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../../model/testing/recount.ts";
import { context, now, runChange } from "../../model/testing/run-change.ts";
import { parseBatch } from "../task/change-actions.ts";
import { parseOperationsText, toSteps } from "./parse-steps.ts";
import { noReplace } from "./timed-replace.ts";

const failure = (run: () => unknown) => {
  try {
    run();
  } catch (error) {
    if (isContractError(error)) return { code: error.code, message: error.message, ...error.options.details };
    throw error;
  }
  throw new Error("It did not fail");
};
type Given = { readonly op: string; readonly [field: string]: unknown };
const parse = (...operations: readonly Given[]) => toSteps(operations, noReplace);
const two = () =>
  specOf("phase-1", "phase-1/task-1-1", "phase-2 < phase-1", "phase-2/task-2-1 blocked", "phase-2/task-2-2");

test("every change of a spec is an operation, and takes what its action takes", () => {
  const { document, result } = runChange(
    two(),
    applySteps(
      parse(
        { op: "phase-add", ref: "p", title: "Third", link_previous: false },
        {
          op: "phase-add-bulk",
          ref: "q",
          phase: { title: "Fourth", link_previous: false },
          tasks: [{ title: "T" }],
        },
        { op: "add", ref: "t", parent: "$p", title: "New", depends_on: ["task-1-1"] },
        { op: "add", ref: "u", parent: "$t", title: "Below", type: "subtask" },
        { op: "add-dependency", task_id: "$u", target_id: "$q" },
        { op: "remove-dependency", task_id: "$u", target_id: "$q" },
        { op: "update", task_id: "$u", description: "D", metadata: { owner: "Ann" } },
        { op: "move", task_id: "$u", parent: "$p", position: 0 },
        { op: "start", task_id: "task-1-1" },
        { op: "complete", task_id: "task-1-1", note: "Done" },
        { op: "unblock", task_id: "task-2-1", note: "Fixed", status: "in_progress" },
        { op: "update-status", task_id: "task-2-1", status: "pending" },
        { op: "block", task_id: "task-2-2", reason: "No key", blocker_type: "technical" },
        { op: "reopen", task_id: "task-1-1", reason: "Wrong" },
        { op: "remove", task_id: "$t", confirm: true },
        { op: "phase-update", phase_id: "$p", purpose: "P" },
        { op: "phase-move", phase_id: "$p", position: 0 },
        { op: "phase-remove", phase_id: "$q", confirm: true, force: true },
        { op: "spec-update", key: "mission", value: "M" },
        { op: "note-add", kind: "risk", text: "Rain" },
      ),
    ),
  );
  expect(result).toMatchObject({
    applied: 20,
    refs: { p: "phase-3", q: "phase-4", t: "task-3-1", u: "task-3-1-1" },
  });
  expect(problemsOf(document)).toEqual([]);
  expect(document["metadata"]).toEqual({ mission: "M", risks: [{ description: "Rain" }] });
  const nodes = nodesOf(document);
  expect(nodes["spec-root"]?.children).toEqual(["phase-3", "phase-1", "phase-2"]);
  expect(nodes["phase-3"]).toMatchObject({ children: ["task-3-1-1"], metadata: { purpose: "P" } });
  expect(nodes["task-3-1-1"]?.metadata).toEqual({ description: "D", owner: "Ann" });
  expect(nodes["task-2-2"]).toMatchObject({ status: "blocked" });
});

describe("refused before anything is done", () => {
  test.each([
    [[{ op: "start", task_id: "a" }, { op: "compleet" }], "VALIDATION_ERROR", "operations[1].op"],
    [[{ op: "toString" }], "VALIDATION_ERROR", "operations[0].op"],
    [[{ op: "start" }], "MISSING_REQUIRED", "operations[0].task_id"],
    [[{ op: "start", task_id: "a", reason: "b" }], "VALIDATION_ERROR", "operations[0].reason"],
    [[{ op: "start", task_id: "a", ref: "b" }], "VALIDATION_ERROR", "operations[0].ref"],
    [[{ op: "remove", task_id: "a" }], "MISSING_REQUIRED", "operations[0].confirm"],
    [[{ op: "phase-remove", phase_id: "a", confirm: false }], "VALIDATION_ERROR", "operations[0].confirm"],
    [[{ op: "add", parent: "a", title: "b", ref: "$c" }], "VALIDATION_ERROR", "operations[0].ref"],
    [
      [
        { op: "add", parent: "a", title: "b", ref: "c" },
        { op: "phase-add", title: "b", ref: "c" },
      ],
      "VALIDATION_ERROR",
      "operations[1].ref",
    ],
    [
      [{ op: "phase-add-bulk", phase: { title: "P" }, tasks: [{ title: "" }] }],
      "VALIDATION_ERROR",
      "operations[0].tasks[0].title",
    ],
    [
      [{ op: "phase-add-bulk", phase: { title: "P" }, tasks: [{ title: "T", dependsOn: ["U"] }] }],
      "VALIDATION_ERROR",
      "operations[0].tasks[0].dependsOn",
    ],
    [[{ op: "find-replace", find: "x".repeat(257), replace: "" }], "VALIDATION_ERROR", "operations[0].find"],
  ])("%j", (operations, code, field) => {
    expect(failure(() => parse(...operations))).toMatchObject({ code, field });
  });

  test("a failure says which operation it is, and what it takes", () => {
    expect(
      failure(() => parse({ op: "start", task_id: "a" }, { op: "start", task_id: "b", notes: "c" })),
    ).toEqual({
      code: "VALIDATION_ERROR",
      message:
        'Cannot read operations[1] (start): Validation failed: start takes no parameter "operations[1].notes"; did you mean note?',
      field: "operations[1].notes",
      constraint: "unknown",
      expected: ["note", "force", "task_id", "claim_token"],
      operation: { index: 1, op: "start" },
    });
  });

  test("null for what is optional means absent", () => {
    const [batched] = parseBatch([{ op: "start", task_id: "task-1-1", note: null } as Given]);
    expect(runChange(two(), batched!.plan).result).toMatchObject({ status: "in_progress" });
  });

  test.each([
    [{ operations_text: "[" }, "INVALID_FORMAT", "operations_text"],
    [{ operations_text: '{"operations": 1}' }, "INVALID_FORMAT", "operations_text"],
    [{ operations_text: "null" }, "INVALID_FORMAT", "operations_text"],
    [{ operations_text: "[]" }, "INVALID_FORMAT", "operations_text"],
    [{ operations_text: `[${Array(501).fill('{"op":"a"}')}]` }, "INVALID_FORMAT", "operations_text"],
    [{ operations_text: '[{"op": "a"}, {"op": 1}]' }, "MISSING_REQUIRED", "operations[1].op"],
    [{ operations_text: "[null]" }, "MISSING_REQUIRED", "operations[0].op"],
    [{ operations_text: "[]", operations: [{ op: "a" }] }, "VALIDATION_ERROR", "operations_text"],
    [{}, "MISSING_REQUIRED", "operations"],
  ])("%.60j", (input, code, field) => {
    expect(failure(() => parseOperationsText(input))).toMatchObject({ code, field });
  });

  test("says which form a list has, for a file of the Python server", () => {
    const text = JSON.stringify({ modifications: [{ action: "add_node" }] });
    expect(() => parseOperationsText({ operations_text: text })).toThrow(
      expect.objectContaining({
        message: "Cannot read the operations: they are not a list",
        remediation:
          'Give a list of operations, such as [{"op": "complete", "task_id": "task-1-1"}], or an object with such a list as operations.',
      }),
    );
  });

  test("a list is read from a text, by itself or within an object", () => {
    const list = [{ op: "start", task_id: "a" }];
    expect(parseOperationsText({ operations_text: JSON.stringify(list) })).toEqual(list);
    expect(parseOperationsText({ operations_text: JSON.stringify({ operations: list }) })).toEqual(list);
    expect(parseOperationsText({ operations: list })).toEqual(list);
  });
});

test("what somebody holds is left alone, in a batch and in a list", () => {
  const lease = {
    task_id: "task-1-1",
    token: "1-a",
    holder: "Ann",
    since: now,
    until: "2026-01-02T13:00:00Z",
  };
  const held = { ...context, leases: new Map([["task-1-1", lease]]) };
  const run = (operation: Given) => () => runChange(two(), applySteps(parse(operation)), held);
  const task_id = "task-1-1";
  expect(failure(run({ op: "complete", task_id })).code).toBe("CONFLICT");
  expect(failure(run({ op: "phase-remove", phase_id: "phase-1", confirm: true })).code).toBe("CONFLICT");
  const done = run({ op: "complete", task_id, claim_token: "1-a" })();
  expect(done.leases).toEqual({ "task-1-1": null });
  const [batched] = parseBatch([{ op: "start", task_id } as Given]);
  expect(failure(() => runChange(two(), batched!.plan, held)).code).toBe("CONFLICT");
  expect(failure(() => parseBatch([{ op: "add", parent: "phase-1", title: "x" } as Given])).code).toBe(
    "VALIDATION_ERROR",
  );
});
