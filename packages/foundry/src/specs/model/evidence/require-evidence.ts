import { ContractError, type UnknownRecord } from "@foundry-mcp/contract";
import { listIds } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { recordsOf, requiresEvidence } from "./verification-record.ts";
import { verifiedWork } from "./verified-work.ts";
import { workHash } from "./work-hash.ts";

/** Refuses to end a verification that demands evidence, unless its newest record passed and the work is as it was then. */
export function requireEvidence(spec: SpecModel, node: SpecNode, action: string): void {
  if (!requiresEvidence(node)) return;
  const lack = findLack(spec, node);
  if (lack === undefined) return;
  const { reason, why, changed } = lack;
  const record = recordsOf(node).at(-1);
  const place = `spec_id="${spec.id}", verify_id="${node.id}"`;
  throw new ContractError(`Cannot ${action} ${node.id}: it demands evidence, and ${why}`, {
    errorCode: "INVALID_STATE",
    remediation: `Run verification(action="execute", ${place})${commandOf(node)}, or tell what you found with verification(action="add", ${place}, result="PASSED", …); then ${action} it again.`,
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

interface Lack {
  readonly reason: "none" | "not_passed" | "unmarked" | "stale";
  readonly why: string;
  readonly changed?: readonly SpecNode[];
}

function findLack(spec: SpecModel, node: SpecNode): Lack | undefined {
  const record = recordsOf(node).at(-1);
  if (record === undefined) return { reason: "none", why: "no verification is recorded" };
  const { result, work_hash: hash } = record;
  const last = `the last verification${whenOf(record)}`;
  if (result !== "PASSED") return { reason: "not_passed", why: `${last} is ${textOf(result)}, not PASSED` };
  if (typeof hash !== "string")
    return { reason: "unmarked", why: `${last} does not tell which state of the work it was for` };
  if (hash === workHash(spec, node.id)) return undefined;
  const changed = changedSince(spec, node, record);
  const what = changed.length === 0 ? "what it verifies" : listIds(changed, 5);
  return { reason: "stale", why: `${last} is older than a change of ${what}`, changed };
}

/** The work that bears a later time; a new title has none, and then nobody is named unless there is only one. */
function changedSince(spec: SpecModel, node: SpecNode, record: UnknownRecord): readonly SpecNode[] {
  const work = verifiedWork(spec, node.id);
  if (work.length === 1) return work;
  const { verified_at: at, duration_ms: took } = record;
  const since = timeOf(at) - (typeof took === "number" ? took : 0);
  const told = new Set(
    spec.journal.filter(({ timestamp }) => timeOf(timestamp) > since).map((entry) => entry["task_id"]),
  );
  const isLater = ({ started_at, completed_at, blocked_at }: UnknownRecord) =>
    [started_at, completed_at, blocked_at].some((each) => timeOf(each) > since);
  return work.filter((each) => spec.isLeaf(each) && (told.has(each.id) || isLater(each.metadata)));
}

function timeOf(value: unknown): number {
  return typeof value === "string" ? Date.parse(value) : Number.NaN;
}

function whenOf({ verified_at: at }: UnknownRecord): string {
  return typeof at === "string" ? `, of ${at},` : "";
}

function commandOf({ metadata: { argv, command } }: SpecNode): string {
  const line = Array.isArray(argv) ? argv.join(" ") : command;
  if (typeof line !== "string" || line === "") return ' with argv=["…"]';
  return `, which runs ${JSON.stringify(line.length > 200 ? `${line.slice(0, 200)}…` : line)}`;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value.slice(0, 100) : "unknown";
}
