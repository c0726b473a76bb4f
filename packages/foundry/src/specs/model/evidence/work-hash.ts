import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import { sourceTextHash } from "@foundry-mcp/contract/digest";
import { isTaskNode } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { dependentWork } from "../verify-scope.ts";

/** Fields that describe the position of a node, not its work. */
const positionFields: ReadonlySet<string> = new Set([
  "parent",
  "children",
  "dependencies",
  "total_tasks",
  "completed_tasks",
]);
/** Fields that only journaling and reviews write. */
const journalFields: ReadonlySet<string> = new Set([
  "journal",
  "journaled_at",
  "needs_journaling",
  "reviews",
]);
/** Fields of a parent that are derived from its children. */
const derivedFields: ReadonlySet<string> = new Set(["status", "completed_at"]);

/** Long enough to detect a change; not meant to resist attacks. */
const hashLength = 12;

/** Returns a short hash of the work that a verification covers; it changes when the work does. */
export function workHash(spec: SpecModel, verifyId: string): string {
  return hashOfWork(spec, verifiedWork(spec, verifyId));
}

/** Returns a short hash of some work, whatever its order. */
export function hashOfWork(spec: SpecModel, nodes: readonly SpecNode[]): string {
  const work = nodes
    .map((node) => [node.id, contentOf(spec, node)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = sourceTextHash(JSON.stringify(work, withSortedKeys));
  return hash.slice(hash.indexOf(":") + 1).slice(0, hashLength);
}

/** Start and completion times are included: reopened and completed work counts as changed. */
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
 * Returns the work that a verification covers: everything below its scope that does not depend on it, its blockers, and
 * those of the groups of verifications that it is in. Other verifications are not included.
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
 * Collects the work at and below a node; a parent that is itself a task is included, because it describes
 * work.
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
