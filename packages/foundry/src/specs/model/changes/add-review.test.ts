import { describe, expect, test } from "vitest";
import { reviewHash } from "../reviews/reviewed-work.ts";
import { rootId, type SpecDocument } from "../spec-document.ts";
import { SpecModel } from "../spec-model.ts";
import { specOf } from "../testing/arbitrary-spec.ts";
import { nodesOf, problemsOf } from "../testing/recount.ts";
import { failureOf, now, runChange } from "../testing/run-change.ts";
import { addReview, type ReviewInput } from "./add-review.ts";
import { addVerification } from "./add-verification.ts";
import { completeTask } from "./complete-task.ts";
import { updateTask } from "./update-node.ts";
import { updateSpec } from "./update-spec.ts";

const verify_id = "verify-1-1";
const sample = (verification_type = "fidelity"): SpecDocument => {
  const document = specOf("phase-1", "phase-1/task-1-1 completed", `phase-1/${verify_id}`);
  Object.assign(nodesOf(document)[verify_id]!.metadata, { evidence: "required", verification_type });
  return document;
};
const approve = (own: Partial<ReviewInput> = {}) =>
  addReview({ verdict: "approved", summary: "It does what it should", ...own });
const hashOf = (document: SpecDocument, id = rootId) => reviewHash(new SpecModel(document), id);
const lease = {
  task_id: verify_id,
  token: "1-held",
  holder: "bob",
  since: now,
  until: "2026-01-02T13:00:00Z",
};

describe("a review", () => {
  test.each([undefined, "phase-1", "task-1-1"])("of %s is kept with its work, and journaled", (task_id) => {
    const before = sample();
    const finding = {
      severity: "minor" as const,
      message: "A typo",
      file: "a.ts",
      line: 3,
      task_id: "task-1-1",
    };
    const { result, document, warnings } = runChange(before, approve({ task_id, findings: [finding] }));
    const work_hash = hashOf(before, task_id);
    expect(result).toEqual({
      spec_id: new SpecModel(before).id,
      task_id: task_id ?? null,
      verdict: "approved",
      reviewed_at: now,
      work_hash,
      stale: false,
      finding_count: 1,
      verification_result: null,
      review_count: 1,
    });
    const { metadata, journal } = document as Record<string, Record<string, unknown> & unknown[]>;
    const kept = task_id === undefined ? metadata : nodesOf(document)[task_id]!.metadata;
    expect(kept?.["reviews"]).toEqual([
      {
        reviewed_at: now,
        verdict: "approved",
        summary: "It does what it should",
        findings: [finding],
        work_hash,
        author: "tester",
      },
    ]);
    const model = new SpecModel(before);
    const title = task_id === undefined ? model.title : model.node(task_id)?.title;
    expect(journal?.at(-1)).toEqual({
      timestamp: now,
      entry_type: "note",
      title: `Review approved: ${title}`,
      content: "It does what it should",
      author: "tester",
      metadata: {},
      ...(task_id === undefined ? {} : { task_id }),
    });
    expect([warnings, problemsOf(document)]).toEqual([undefined, []]);
  });

  test("does not change the work, so that it makes no evidence stale", () => {
    const before = sample();
    const { document } = runChange(before, approve({ task_id: "task-1-1" }));
    for (const id of [rootId, "phase-1", "task-1-1", verify_id])
      expect(hashOf(document, id)).toBe(hashOf(before, id));
  });

  test("is stale where the work changed since it was prepared", () => {
    const before = sample();
    const { document } = runChange(before, updateTask({ task_id: "task-1-1", title: "Else" }));
    const { result, warnings } = runChange(document, approve({ work_hash: hashOf(before) }));
    expect([result.stale, warnings]).toEqual([
      true,
      ["The work has changed since the review, so the review is stale"],
    ]);
  });

  test("is one of the last ten", () => {
    let document = sample();
    for (let number = 1; number <= 12; number++)
      document = runChange(document, approve({ task_id: "task-1-1", summary: `${number}` })).document;
    const { reviews } = nodesOf(document)["task-1-1"]!.metadata as { reviews: { summary: string }[] };
    expect(reviews.map(({ summary }) => summary)).toEqual(Array.from({ length: 10 }, (_, at) => `${at + 3}`));
  });

  test("approves nothing that is critical", () => {
    const findings = [{ severity: "critical" as const, message: "It leaks" }];
    expect(failureOf(sample(), approve({ findings }))).toMatchObject({
      code: "VALIDATION_ERROR",
      message: "Cannot add a review that approves: a finding is critical",
    });
    expect(runChange(sample(), approve({ findings, verdict: "commented" })).result.finding_count).toBe(1);
  });

  test.each([
    ["its task", approve({ task_id: "task-9-9" }), "TASK_NOT_FOUND"],
    [
      "the task of a finding",
      approve({ findings: [{ severity: "minor", message: "x", task_id: "task-9-9" }] }),
      "TASK_NOT_FOUND",
    ],
    ["its summary", approve({ summary: "x".repeat(20_001) }), "CONTENT_TOO_LARGE"],
    [
      "a message",
      approve({ findings: [{ severity: "minor", message: "x".repeat(20_001) }] }),
      "CONTENT_TOO_LARGE",
    ],
  ])("is refused for %s", (_name, plan, code) => {
    expect(failureOf(sample(), plan).code).toBe(code);
  });

  test("is not forged by metadata", () => {
    for (const plan of [
      updateTask({ task_id: "task-1-1", metadata: { reviews: [] } }),
      updateSpec({ metadata: { reviews: [] } }),
    ])
      expect(failureOf(sample(), plan as never)).toMatchObject({
        code: "VALIDATION_ERROR",
        details: { field: "metadata.reviews", constraint: "evidence" },
      });
  });
});

describe("a review of a verification", () => {
  test.each([
    ["fidelity", "approved", "PASSED"],
    ["manual", "approved", "PASSED"],
    ["fidelity", "changes_requested", "FAILED"],
    ["fidelity", "commented", null],
    ["run-tests", "approved", null],
  ] as const)("of type %s, %s, is the result %s", (type, verdict, result) => {
    const changed = runChange(sample(type), approve({ task_id: verify_id, verdict }));
    expect(changed.result.verification_result).toBe(result);
    const { metadata } = nodesOf(changed.document)[verify_id]!;
    const { reviews, verification_history: history } = metadata as Record<string, object[]>;
    expect(reviews).toHaveLength(1);
    expect(history).toEqual(
      result === null
        ? undefined
        : [
            {
              verified_at: now,
              result,
              work_hash: changed.result.work_hash,
              author: "tester",
              notes: "It does what it should",
            },
          ],
    );
    const { journal } = changed.document as { journal: object[] };
    expect(journal.length - ((sample() as { journal?: object[] }).journal?.length ?? 0)).toBe(1);
    expect(problemsOf(changed.document)).toEqual([]);
  });

  test("is the evidence that its completion takes, until the work changes", () => {
    const complete = completeTask({ task_id: verify_id });
    expect(failureOf(sample(), complete).code).toBe("INVALID_STATE");
    const { document } = runChange(sample(), approve({ task_id: verify_id }));
    expect(runChange(document, complete).result).toMatchObject({ status: "completed" });
    const changed = runChange(document, updateTask({ task_id: "task-1-1", title: "Else" })).document;
    expect(failureOf(changed, complete)).toMatchObject({ details: { reason: "stale" } });
    const rejected = runChange(document, approve({ task_id: verify_id, verdict: "changes_requested" }));
    expect(failureOf(rejected.document, complete)).toMatchObject({ details: { reason: "not_passed" } });
  });

  test("that somebody holds takes the token, and one of a held task does not", () => {
    const held = (id: string) => ({ leases: new Map([[id, { ...lease, task_id: id }]]) });
    const run = (plan: ReturnType<typeof approve>, id: string) => runChange(sample(), plan, held(id)).result;
    expect(() => run(approve({ task_id: verify_id }), verify_id)).toThrow(/bob/);
    expect(
      run(approve({ task_id: verify_id, claim_token: lease.token }), verify_id).verification_result,
    ).toBe("PASSED");
    expect(run(approve({ task_id: "task-1-1" }), "task-1-1").verdict).toBe("approved");
  });

  test("is one of the same ten as its verifications", () => {
    let document = sample();
    for (let number = 0; number < 10; number++)
      document = runChange(document, addVerification({ verify_id, result: "FAILED" })).document;
    document = runChange(document, approve({ task_id: verify_id })).document;
    const { verification_history: history } = nodesOf(document)[verify_id]!.metadata as Record<
      string,
      object[]
    >;
    expect([history?.length, history?.at(-1)]).toEqual([10, expect.objectContaining({ result: "PASSED" })]);
  });
});
