import { isRecord, type JsonValue, type UnknownRecord } from "@foundry-mcp/contract";
import { sourceTextHash } from "@foundry-mcp/contract/digest";
import { isTaskNode } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

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
 * Returns the work that a verification covers: its blockers and the siblings before it, with all their
 * descendants. Files keep verifications in a group at the end of a phase, so the blockers and preceding
 * siblings of that group are included. Other verifications are not.
 */
export function verifiedWork(spec: SpecModel, verifyId: string): readonly SpecNode[] {
  const found = new Map<string, SpecNode>();
  const [verify, ...above] = spec.ancestry(verifyId);
  if (verify === undefined) return [];
  const groups = above.slice(
    0,
    above.findIndex(({ type }) => type !== "group"),
  );
  const seen = new Set<string>([verifyId]);
  for (const node of [verify, ...groups])
    for (const id of [...node.blockedBy, ...siblingsBefore(spec, node)]) collect(spec, id, found, seen);
  return [...found.values()];
}

function siblingsBefore(spec: SpecModel, { id, parent }: SpecNode): readonly string[] {
  const siblings = parent === null ? [] : (spec.node(parent)?.children ?? []);
  return siblings.slice(0, Math.max(0, siblings.indexOf(id)));
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
