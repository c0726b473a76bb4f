import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import { sourceTextHash } from "@foundry-mcp/contract/digest";
import { isTaskNode } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { dependentWork } from "../verify-scope.ts";

/** The fields that describe the position of a node, not its work. */
const positionFields: ReadonlySet<string> = new Set([
  "parent",
  "children",
  "dependencies",
  "total_tasks",
  "completed_tasks",
]);
/** The fields that only journal entries and reviews change. */
const journalFields: ReadonlySet<string> = new Set([
  "journal",
  "journaled_at",
  "needs_journaling",
  "reviews",
]);
/** The fields of a parent that are derived from its children. */
const derivedFields: ReadonlySet<string> = new Set(["status", "completed_at"]);

/**
 * The length of the hash. A hash of this length is long enough to detect a change, but does not resist
 * attacks.
 */
const hashLength = 12;

/** Returns a short hash of the work that a verification covers. The hash changes if the work changes. */
export function workHash(spec: SpecModel, verifyId: string): string {
  return hashOfWork(spec, verifiedWork(spec, verifyId));
}

/** Returns a short hash of nodes. The order of the nodes does not change the hash. */
export function hashOfWork(spec: SpecModel, nodes: readonly SpecNode[]): string {
  const work = nodes
    .map((node) => [node.id, contentOf(spec, node)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = sourceTextHash(JSON.stringify(work, withSortedKeys));
  return hash.slice(hash.indexOf(":") + 1).slice(0, hashLength);
}

/**
 * Returns the fields to hash. Start and completion times are included, so that reopened work that is
 * completed again counts as changed.
 */
function contentOf(spec: SpecModel, node: SpecNode): UnknownRecord {
  const isLeaf = spec.isLeaf(node);
  const keep = (fields: UnknownRecord, ...excluded: readonly ReadonlySet<string>[]) =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([key]) => !excluded.some((each) => each.has(key)) && (isLeaf || !derivedFields.has(key)),
      ),
    );
  const { metadata: _, ...fields } = node.raw;
  return { ...keep(fields, positionFields), metadata: keep(node.metadata, journalFields) };
}

function withSortedKeys(_key: string, value: JsonValue): JsonValue {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries) as JsonValue;
}

/**
 * Returns the work that a verify node covers. The covered work is the work below the scope of the verify
 * node, its blockers, and the blockers of the groups that contain it within the scope. Work that depends on
 * the verify node and other verify nodes are not included.
 */
export function verifiedWork(spec: SpecModel, verifyId: string): readonly SpecNode[] {
  const found = new Map<string, SpecNode>();
  const line = spec.ancestry(verifyId);
  const [verify] = line;
  if (verify === undefined) return [];
  const scope = spec.scopeOf(verifyId);
  const seen = new Set<string>([verifyId]);
  if (scope !== undefined) for (const id of dependentWork(spec, verify)) seen.add(id);
  for (const node of line) {
    if (node.id === scope) {
      for (const id of node.children) collect(spec, id, found, seen);
      break;
    }
    for (const id of node.blockedBy) collect(spec, id, found, seen);
  }
  return [...found.values()];
}

/**
 * Collects the work at and below a node. A parent that is a task is included, because a task describes work
 * itself.
 */
function collect(spec: SpecModel, id: string, found: Map<string, SpecNode>, seen: Set<string>): void {
  const stack = [id];
  for (let next = stack.pop(); next !== undefined; next = stack.pop()) {
    const node = seen.has(next) ? undefined : spec.node(next);
    seen.add(next);
    if (node === undefined || node.type === "verify") continue;
    if (isTaskNode(node)) found.set(node.id, node);
    stack.push(...node.children.toReversed());
  }
}
