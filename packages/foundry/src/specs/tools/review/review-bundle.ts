import type { UnknownRecord } from "@foundry-mcp/contract";
import { recordsOf, requiresEvidence } from "../../model/evidence/verification-record.ts";
import { verifiedWork, workHash } from "../../model/evidence/work-hash.ts";
import { requireNode } from "../../model/find-node.ts";
import { reviewsOf } from "../../model/reviews/review-record.ts";
import { createStaleCheck, reviewedWork } from "../../model/reviews/reviewed-work.ts";
import { rootId } from "../../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../../model/spec-model.ts";
import { phaseOf, toTaskRow } from "../spec-views.ts";

const maxEntries = 50;
const maxVerifications = 50;

/** The metadata of a spec with which a reviewer compares the work. */
const aims = ["mission", "description", "objectives", "success_criteria", "constraints", "assumptions"];
const concerns = ["risks", "open_questions"];

/**
 * Returns the parts of a review that come from the spec itself. The review is about a task, a phase or the
 * root.
 */
export function toReviewBundle(spec: SpecModel, id: string) {
  const node = requireNode(spec, id);
  const phase = phaseOf(spec, id);
  const work = reviewedWork(spec, id);
  const { purpose } = phase?.metadata ?? {};
  return {
    title: id === rootId ? spec.title : node.title,
    ...pick(spec.metadata, [...aims, ...concerns]),
    ...(phase === undefined
      ? {}
      : { phase: { id: phase.id, title: phase.title, ...pick({ purpose }, ["purpose"]) } }),
    progress: progressOf(spec.tally(id)),
    tasks: work.map(toReviewedTask),
    evidence: toEvidence(spec, node, work),
    reviews: toReviews(spec, id).slice(0, maxEntries),
    journal: journalOf(spec, id, work),
  };
}

function toReviewedTask(node: SpecNode) {
  const { metadata } = node;
  const told = ["acceptance_criteria", "details", "changes", "reasoning", "status_note"];
  return { ...toTaskRow(node), ...pick(metadata, [...told, "started_at", "completed_at"]) };
}

/** Returns the given members that have a value. */
function pick(fields: UnknownRecord, names: readonly string[]): UnknownRecord {
  const isTold = (value: unknown) =>
    value !== undefined && value !== null && value !== "" && !(Array.isArray(value) && value.length === 0);
  return Object.fromEntries(names.filter((name) => isTold(fields[name])).map((name) => [name, fields[name]]));
}

/** Returns the verifications of the work, each with its newest result. */
function toEvidence(spec: SpecModel, node: SpecNode, work: readonly SpecNode[]) {
  return verificationsOf(spec, node, work)
    .slice(0, maxVerifications)
    .map((verify) => {
      const last = recordsOf(verify).at(-1);
      return {
        verify_id: verify.id,
        title: verify.title,
        status: verify.status,
        ...pick(verify.metadata, ["verification_type", "command", "expected"]),
        is_required: requiresEvidence(verify),
        last: last === undefined ? null : { ...last, stale: last["work_hash"] !== workHash(spec, verify.id) },
      };
    });
}

/**
 * Returns the verifications at and below a node. For a task, the result also contains the verifications of
 * its phase that cover the task.
 */
function verificationsOf(spec: SpecModel, node: SpecNode, work: readonly SpecNode[]): readonly SpecNode[] {
  const ids = new Set(work.map(({ id }) => id));
  const isTask = node.id !== rootId && node.type !== "phase" && node.type !== "group";
  const above = isTask ? (phaseOf(spec, node.id) ?? node) : node;
  const below = above.id === rootId ? spec.order : [...spec.subtree(above.id)];
  const verifications = below
    .map((id) => spec.node(id))
    .filter((each) => each !== undefined)
    .filter(({ type }) => type === "verify");
  if (!isTask) return verifications;
  if (node.type === "verify") return [node];
  return verifications.filter((each) => verifiedWork(spec, each.id).some(({ id }) => ids.has(id)));
}

/** A stored review, and the id of the reviewed node; null for a review of the whole spec. */
export interface StoredReview {
  readonly task_id: string | null;
  readonly title: string;
  readonly stale: boolean;
  readonly [field: string]: unknown;
}

/** Returns the reviews of a node and of all nodes below it. The newest review comes first. */
export function toReviews(spec: SpecModel, id: string): readonly StoredReview[] {
  const isStale = createStaleCheck(spec);
  const stored = [...(id === rootId ? [rootId, ...spec.order] : spec.subtree(id))].flatMap((each) => {
    const node = spec.node(each);
    const isRoot = each === rootId;
    const title = isRoot ? spec.title : (node?.title ?? each);
    return reviewsOf(isRoot ? spec.metadata : (node?.metadata ?? {})).map((review) => ({
      task_id: isRoot ? null : each,
      title,
      review,
    }));
  });
  const timeOf = ({ review: { reviewed_at: at } }: (typeof stored)[number]) =>
    typeof at === "string" ? at : "";
  return stored
    .reverse()
    .toSorted((a, b) => (timeOf(a) < timeOf(b) ? 1 : timeOf(a) > timeOf(b) ? -1 : 0))
    .map(({ task_id, title, review }) => ({
      ...review,
      task_id,
      title,
      stale: isStale(task_id ?? rootId, review),
    }));
}

/**
 * Returns the newest journal entries about a node and its work; for the root, the newest entries of the whole
 * journal. The newest entry comes first.
 */
function journalOf({ journal }: SpecModel, id: string, work: readonly SpecNode[]): readonly UnknownRecord[] {
  const ids = new Set<unknown>([id, ...work.map((node) => node.id)]);
  const about = id === rootId ? journal : journal.filter((entry) => ids.has(entry["task_id"]));
  return about.slice(-maxEntries).reverse();
}

/**
 * Returns the files that the work names, and the time at which the work was started. The time is undefined if
 * no work was started.
 */
export function toFilesSince(work: readonly SpecNode[]): {
  readonly paths: readonly string[];
  readonly since: string | undefined;
} {
  const paths = work.flatMap(({ metadata: { file_path: path } }) =>
    typeof path === "string" && path.trim() !== "" ? [path.trim()] : [],
  );
  const starts = work
    .map(({ metadata: { started_at: at } }) => (typeof at === "string" ? Date.parse(at) : Number.NaN))
    .filter((time) => !Number.isNaN(time));
  // Math.min with spread arguments would fail, because a spec may have 100,000 tasks.
  const first = starts.reduce((least, time) => Math.min(least, time), Number.POSITIVE_INFINITY);
  return {
    paths: [...new Set(paths)],
    since: starts.length === 0 ? undefined : new Date(first).toISOString(),
  };
}
