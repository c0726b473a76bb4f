import type { JsonValue, UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { sourceTextHash } from "@foundry-mcp/contract/digest";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { verifiedWork } from "./verified-work.ts";

/** What says where a node stands, not what is to be done or was done. */
const placing: ReadonlySet<string> = new Set([
  "parent",
  "children",
  "dependencies",
  "total_tasks",
  "completed_tasks",
]);
/** What only the keeping of a journal writes. */
const journaling: ReadonlySet<string> = new Set(["journal", "journaled_at", "needs_journaling"]);
/** What of a parent follows from what is below it. */
const derived: ReadonlySet<string> = new Set(["status", "completed_at"]);

/** Enough to tell a change, not an attack. */
const digits = 12;

/** A short hash of the work that a verification verifies, as it is now: it stays while the work does. */
export function workHash(spec: SpecModel, verifyId: string): string {
  const work = verifiedWork(spec, verifyId)
    .map((node) => [node.id, contentOf(spec, node)] as const)
    .sort(([a], [b]) => (a < b ? -1 : 1));
  const hash = sourceTextHash(JSON.stringify(work, withSortedKeys));
  return hash.slice(hash.indexOf(":") + 1).slice(0, digits);
}

/** Times of start and completion count: work that was reopened and completed again is other work. */
function contentOf(spec: SpecModel, node: SpecNode): UnknownRecord {
  const isLeaf = spec.isLeaf(node);
  const keep = (fields: UnknownRecord, ...left: readonly ReadonlySet<string>[]) =>
    Object.fromEntries(
      Object.entries(fields).filter(
        ([key]) => !left.some((each) => each.has(key)) && (isLeaf || !derived.has(key)),
      ),
    );
  const { metadata: _, ...fields } = node.raw;
  return { ...keep(fields, placing), metadata: keep(node.metadata, journaling) };
}

function withSortedKeys(_key: string, value: JsonValue): JsonValue {
  if (!isRecord(value)) return value;
  const entries = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(entries) as JsonValue;
}
