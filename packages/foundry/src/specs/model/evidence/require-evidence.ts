import { ContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import type { Plan } from "../change.ts";
import { listIds } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { warnOfOpenWork } from "./open-work.ts";
import { recordsOf, requiresEvidence } from "./verification-record.ts";
import { verifiedWork, workHash } from "./work-hash.ts";

/**
 * Throws INVALID_STATE if a verify node lacks the evidence that it requires. The newest verification record
 * must be PASSED, the work must be done, and the work must not have changed since that record. A record from
 * the time before the work was done is therefore not evidence.
 */
export function requireEvidence(spec: SpecModel, node: SpecNode, action: string): void {
  if (!requiresEvidence(node)) return;
  warnOfOpenWork(spec, node, action);
  const missing = findMissing(spec, node);
  if (missing === undefined) return;
  const { reason, why, changed } = missing;
  const record = recordsOf(node).at(-1);
  const verification = { spec_id: spec.id, verify_id: node.id };
  throw new ContractError(`Cannot ${action} ${node.id}: it requires evidence, and ${why}`, {
    errorCode: "INVALID_STATE",
    remediation: `Verify it${commandOf(node)}; record the result with {1}, then ${action} it again.`,
    remedy: { tool: "verification", action: "add", arguments: verification, needs: ["result", "notes"] },
    details: {
      task_id: node.id,
      status: node.status,
      evidence: "required",
      reason,
      ...(record === undefined
        ? {}
        : { last_result: textOf(record["result"]), last_verified_at: textOf(record["verified_at"]) }),
      ...(changed === undefined ? {} : { changed: changed.slice(0, 20).map(({ id }) => id) }),
    },
  });
}

interface MissingEvidence {
  readonly reason: "none" | "not_passed" | "unmarked" | "stale";
  readonly why: string;
  readonly changed?: readonly SpecNode[];
}

function findMissing(spec: SpecModel, node: SpecNode): MissingEvidence | undefined {
  const record = recordsOf(node).at(-1);
  if (record === undefined) return { reason: "none", why: "no verification is recorded" };
  const { result, work_hash: hash, verified_at: at } = record;
  const last = `the last verification${typeof at === "string" ? `, of ${at},` : ""}`;
  if (result !== "PASSED") return { reason: "not_passed", why: `${last} is ${textOf(result)}, not PASSED` };
  if (typeof hash !== "string")
    return { reason: "unmarked", why: `${last} does not record the state of the work that it verified` };
  if (hash === workHash(spec, node.id)) return undefined;
  const changed = changedSince(spec, node, record);
  const what = changed.length === 0 ? "what it verifies" : listIds(changed, 5);
  return { reason: "stale", why: `${last} is older than a change of ${what}`, changed };
}

/**
 * Returns the work that, according to its timestamps, changed after the verification began. A change without
 * a timestamp, such as a new title, is found only if the verification covers a single task.
 */
function changedSince(spec: SpecModel, node: SpecNode, record: UnknownRecord): readonly SpecNode[] {
  const work = verifiedWork(spec, node.id);
  if (work.length === 1) return work;
  const { verified_at: at, duration_ms: took } = record;
  const since = timeOf(at) - (typeof took === "number" ? took : 0);
  const journaled = new Set(
    spec.journal.filter(({ timestamp }) => timeOf(timestamp) > since).map((entry) => entry["task_id"]),
  );
  const isLater = ({ started_at, completed_at, blocked_at }: UnknownRecord) =>
    [started_at, completed_at, blocked_at].some((each) => timeOf(each) > since);
  return work.filter((each) => spec.isLeaf(each) && (journaled.has(each.id) || isLater(each.metadata)));
}

function timeOf(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

function commandOf({ metadata: { argv, command } }: SpecNode): string {
  const line = Array.isArray(argv) ? argv.join(" ") : command;
  if (typeof line !== "string" || line === "") return "";
  return ` with ${JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "unknown";
}

/**
 * Refuses a change after which a verify node would be completed without its required evidence. The change may
 * edit the type of the node, its evidence requirement or its status.
 */
export function guardEvidence<R>(plan: Plan<R>): Plan<R> {
  return (spec, context) => {
    const change = plan(spec, context);
    const touched = possibleVerifications(spec, change.edits);
    if (touched.length === 0) return change;
    const after = spec.after(change.edits);
    for (const id of touched) {
      const node = after.node(id);
      if (isGated(node) && !isGated(spec.node(id))) requireEvidence(after, node, "complete");
    }
    return change;
  };
}

/** The metadata fields that only a recorded verification or review may write. */
const evidenceFields: readonly string[] = [
  ...["verification_history", "last_result", "last_verified_at"],
  "reviews",
];

/** Throws for metadata that would forge evidence. */
export function refuseForgedEvidence(kind: string, metadata: object | undefined): void {
  const forged = Object.keys(metadata ?? {}).find((key) => evidenceFields.includes(key));
  if (forged === undefined) return;
  if (forged === "reviews")
    throw validationError(
      { field: "metadata.reviews", constraint: "evidence" },
      {
        message: `Cannot set reviews of the ${kind}: they are evidence, which only the review tool writes`,
        remediation: "Record a review: {1}.",
        remedy: { tool: "review", action: "add", needs: ["spec_id", "verdict", "summary"] },
      },
    );
  throw validationError(
    { field: `metadata.${forged}`, constraint: "evidence" },
    {
      message: `Cannot set ${forged} of the ${kind}: it is evidence, which only the verification tool writes`,
      remediation: "Record a verification: {1}.",
      remedy: { tool: "verification", action: "add", needs: ["spec_id", "verify_id", "result", "notes"] },
    },
  );
}

function isGated(node: SpecNode | undefined): node is SpecNode {
  return node !== undefined && node.status === "completed" && requiresEvidence(node);
}

/**
 * Returns the ids of edited nodes that are verify nodes or may become verify nodes. Most changes edit no such
 * node and need no further check.
 */
function possibleVerifications(spec: SpecModel, edits: readonly Edit[]): readonly string[] {
  const ids = edits.flatMap(({ path }) => {
    const [top, id, member] = path;
    if (top !== "hierarchy" || typeof id !== "string") return [];
    return path.length === 2 || member === "type" || spec.node(id)?.type === "verify" ? [id] : [];
  });
  return [...new Set(ids)];
}
