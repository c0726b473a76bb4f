import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../files/json-text/edit.ts";
import { metadataEdits, setEdits } from "./node-edits.ts";
import { progressOf } from "./progress.ts";
import { type NodeStatus, type NodeType, rootId } from "./spec-document.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** Types of nodes that only hold others: their status always follows from what is below. */
const holders: ReadonlySet<NodeType> = new Set(["spec", "phase", "group"]);

/**
 * The edits that bring stored counts, statuses and mirrors of a spec in line with its leaves, after other
 * edits: for the touched nodes, all above them before and after, and the root. No edits where all is in line
 * and nothing was edited. `after` is the spec as the first edits leave it.
 */
export function rollUp(
  before: SpecModel,
  edits: readonly Edit[],
  touched: readonly string[],
  now: string,
): { readonly edits: readonly Edit[]; readonly after: SpecModel } {
  const after = before.after(edits);
  const affected = new Set<string>();
  for (const id of touched)
    for (const spec of [before, after]) for (const node of spec.ancestry(id)) affected.add(node.id);
  affected.add(rootId);
  const counts = [...affected].flatMap((id) => nodeEdits(after, id, now));
  if (edits.length + counts.length === 0) return { edits: [], after };
  return { edits: [...counts, ...mirrorEdits(after, now)], after };
}

/** The status that follows from what is below a node; for work without children its own. */
export function derivedStatus(spec: SpecModel, node: SpecNode): NodeStatus {
  if (spec.isLeaf(node) && !holders.has(node.type)) return node.status;
  const { total, completed } = spec.tally(node.id);
  const { hasStarted, isDone } =
    total > 0 && completed > 0 ? counted(total, completed) : lookBelow(spec, node);
  if (isDone) return "completed";
  // Blocked is said, not derived: it stays until it is unblocked or all is done.
  if (node.status === "blocked") return "blocked";
  return hasStarted ? "in_progress" : "pending";
}

interface Below {
  readonly hasStarted: boolean;
  readonly isDone: boolean;
}

function counted(total: number, completed: number): Below {
  return { hasStarted: true, isDone: total === completed };
}

/** Where nothing counted is completed: whether work is under way, or all there is, is research that is done. */
function lookBelow(spec: SpecModel, node: SpecNode): Below {
  let [open, done] = [0, 0];
  const seen = new Set<string>([node.id]);
  // In the order of work, since that is where the beginning of it is.
  const waiting = node.children.toReversed();
  for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
    const each = seen.has(id) ? undefined : spec.node(id);
    seen.add(id);
    if (each === undefined) continue;
    for (const child of each.children.toReversed()) waiting.push(child);
    if (!spec.isLeaf(each) || holders.has(each.type)) continue;
    if (each.status === "in_progress") return { hasStarted: true, isDone: false };
    if (each.status === "completed") done += 1;
    else open += 1;
  }
  return { hasStarted: done > 0, isDone: done > 0 && open === 0 };
}

function nodeEdits(spec: SpecModel, id: string, now: string): readonly Edit[] {
  const node = spec.node(id);
  if (node === undefined) return [];
  const { total, completed } = spec.tally(id);
  const status = derivedStatus(spec, node);
  return [
    ...setEdits(["hierarchy", id], node.raw, { status, total_tasks: total, completed_tasks: completed }),
    ...completedAtEdits(spec, node, status, now),
  ];
}

/** Work keeps its own time of completion; that of a parent follows from its status. */
function completedAtEdits(spec: SpecModel, node: SpecNode, status: NodeStatus, now: string): readonly Edit[] {
  if (spec.isLeaf(node) && !holders.has(node.type)) return [];
  if (status !== "completed") return metadataEdits(node, { completed_at: undefined });
  // Files keep no such time for the spec as a whole.
  return node.status === "completed" || node.id === rootId ? [] : metadataEdits(node, { completed_at: now });
}

/** What files repeat at their top is kept right where they have it. */
function mirrorEdits(spec: SpecModel, now: string): readonly Edit[] {
  const root = spec.node(rootId);
  const mirrors: Readonly<Record<string, JsonValue>> = {
    progress_percentage: progressOf(spec.tally(rootId)).percentage,
    status: root === undefined ? "pending" : derivedStatus(spec, root),
    current_phase:
      spec
        .childrenOf(rootId)
        .find((node) => node.type === "phase" && derivedStatus(spec, node) !== "completed")?.id ?? null,
  };
  const held = Object.entries(mirrors).filter(([key]) => Object.hasOwn(spec.fields, key));
  return setEdits([], spec.fields, { last_updated: now, ...Object.fromEntries(held) });
}
