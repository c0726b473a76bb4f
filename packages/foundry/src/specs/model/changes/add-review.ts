import { type JsonObject, validationError } from "@foundry-mcp/contract";
import type { Plan } from "../change.ts";
import { type ClaimGuard, guardTask } from "../claims/claim-guard.ts";
import { requireNode } from "../find-node.ts";
import { definedValues, recordEdits } from "../node-edits.ts";
import {
  type Finding,
  findingSeverities,
  type ReviewRecord,
  type ReviewVerdict,
  reviewsOf,
} from "../reviews/review-record.ts";
import { reviewHash } from "../reviews/reviewed-work.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { requireText } from "../text-limits.ts";
import { journalEdits } from "./add-journal-entry.ts";
import { addVerification } from "./add-verification.ts";
import { createChangeSequence } from "./change-sequence.ts";
import { finishChange } from "./finish-change.ts";

/** The maximum number of reviews stored for a node or a spec. */
const maxReviews = 10;

/**
 * The review to record. A claim token is needed only if the review counts as the verification of a node that
 * an agent has claimed.
 */
export interface ReviewInput extends ClaimGuard {
  /** The id of the reviewed node. @default the whole spec */
  readonly task_id?: string | undefined;
  readonly verdict: ReviewVerdict;
  readonly summary: string;
  readonly findings?: readonly Finding[] | undefined;
  /** The hash of the work that was reviewed. @default the hash of the current work */
  readonly work_hash?: string | undefined;
}

/** The result of recording a review. */
export interface AddReviewResult {
  readonly spec_id: string;
  /** The id of the reviewed node; null for a review of the whole spec. */
  readonly task_id: string | null;
  readonly verdict: ReviewVerdict;
  readonly reviewed_at: string;
  readonly work_hash: string;
  /** True if the work has changed since the review. */
  readonly stale: boolean;
  readonly finding_count: number;
  /**
   * The verification result that the review recorded; null if the review does not count as a verification.
   */
  readonly verification_result: "PASSED" | "FAILED" | null;
  /** The number of stored reviews. */
  readonly review_count: number;
}

/**
 * Records a review and adds a journal entry. A review of a `fidelity` or `manual` verify node is also
 * recorded as the verification of the node, so that completion checks only one kind of evidence.
 */
export function addReview(input: ReviewInput): Plan<AddReviewResult> {
  return (spec, context) => {
    const { task_id: id = rootId, verdict, summary, findings = [] } = input;
    const node = id === rootId ? undefined : requireNode(spec, id);
    requireFindings(spec, verdict, findings);
    requireText("summary", summary);
    const present = reviewHash(spec, id);
    const record: ReviewRecord = {
      reviewed_at: context.now,
      verdict,
      summary,
      findings: findings.map((each) => definedValues({ ...each }) as JsonObject & Finding),
      work_hash: input.work_hash ?? present,
      author: context.author,
    };
    const result = node === undefined ? null : toVerification(node, verdict);
    const sequence = createChangeSequence(spec, context);
    if (node !== undefined && result !== null) {
      const { work_hash } = record;
      const verification = addVerification({ verify_id: id, result, notes: summary, work_hash }, "review");
      sequence.run(guardTask(id, input, "review", verification));
    }
    const stale = record.work_hash !== present;
    sequence.run(keepReview(node, record, result === null));
    const target = node === undefined ? spec.metadata : node.metadata;
    return sequence.finish(
      {
        spec_id: spec.id,
        task_id: node?.id ?? null,
        verdict,
        reviewed_at: record.reviewed_at,
        work_hash: record.work_hash,
        stale,
        finding_count: findings.length,
        verification_result: result,
        review_count: Math.min(reviewsOf(target).length + 1, maxReviews),
      },
      stale && result === null ? ["The work has changed since the review, so the review is stale"] : [],
    );
  };
}

/**
 * Converts a verdict to a verification result. Returns null for a comment, and for a node that a review
 * cannot verify, such as a test run.
 */
function toVerification(
  { type, metadata: { verification_type: kind } }: SpecNode,
  verdict: ReviewVerdict,
): "PASSED" | "FAILED" | null {
  if (type !== "verify" || (kind !== "fidelity" && kind !== "manual") || verdict === "commented") return null;
  return verdict === "approved" ? "PASSED" : "FAILED";
}

function requireFindings(spec: SpecModel, verdict: ReviewVerdict, findings: readonly Finding[]): void {
  for (const [index, { message, file, task_id }] of findings.entries()) {
    requireText(`findings[${index}].message`, message);
    requireText(`findings[${index}].file`, file);
    if (task_id !== undefined) requireNode(spec, task_id);
  }
  const [highest] = findingSeverities;
  if (verdict !== "approved" || !findings.some(({ severity }) => severity === highest)) return;
  throw validationError(
    { field: "verdict", constraint: "findings", received: verdict, expected: "changes_requested" },
    {
      message: `Cannot add a review that approves: a finding is ${highest}`,
      remediation: `Request changes with verdict changes_requested, or give the finding a lower severity.`,
    },
  );
}

function keepReview(node: SpecNode | undefined, record: ReviewRecord, isJournaled: boolean): Plan<object> {
  return (spec, context) => {
    const { verdict, summary } = record;
    const after = node === undefined ? undefined : spec.node(node.id);
    const owner =
      after === undefined
        ? { path: [], raw: spec.fields }
        : { path: ["hierarchy", after.id], raw: after.raw };
    const entry = {
      title: `Review ${verdict}: ${after?.title ?? spec.title}`,
      content: summary,
      ...(after === undefined ? {} : { task_id: after.id }),
    };
    const list = { list: "reviews", record: record as ReviewRecord & JsonObject, max: maxReviews };
    return finishChange(spec, context, {
      edits: [...recordEdits(owner, list), ...(isJournaled ? journalEdits(spec, entry, context) : [])],
      touched: [],
      result: () => ({}),
    });
  };
}
