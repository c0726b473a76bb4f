import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../files/json-text/edit.ts";
import { metadataEdits, setEdits } from "./node-edits.ts";
import { type NodeStatus, type NodeType, rootId } from "./spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "./spec-model.ts";

/** The types of containers. The status of a container is always derived from its descendants. */
const containerTypes: ReadonlySet<NodeType> = new Set(["spec", "phase", "group"]);

/**
 * Returns the edits that update stored counts, statuses and mirrored fields after other edits. The updated
 * nodes are the touched nodes, their ancestors before and after the edits, and the root. No edits are
 * returned if nothing was edited and everything is consistent. `after` is the spec after the given edits.
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

/**
 * Returns the status of a node, derived from its descendants. A task without children keeps its own status.
 */
export function derivedStatus(spec: SpecModel, node: SpecNode): NodeStatus {
  if (spec.isLeaf(node) && !containerTypes.has(node.type)) return node.status;
  const { total, completed } = spec.tally(node.id);
  const { isStarted, hasOpen, hasDone } =
    completed > 0 ? { isStarted: false, hasOpen: total > completed, hasDone: true } : workStateOf(spec, node);
  if (hasDone && !hasOpen) return "completed";
  // The status blocked is set explicitly, so it is kept until the node is unblocked or all work is done.
  if (node.status === "blocked") return "blocked";
  return isStarted || hasDone ? "in_progress" : "pending";
}

/** The states of the tasks below a node. */
interface WorkState {
  /** True if a task is in progress. */
  readonly isStarted: boolean;
  /** True if a task is not completed. */
  readonly hasOpen: boolean;
  /** True if a task is completed. */
  readonly hasDone: boolean;
}

/**
 * The states of scanned nodes. The states are cached, so that each ancestor of a node does not scan the node
 * again.
 */
const workStates = new WeakMap<SpecModel, Map<string, WorkState>>();

/**
 * Returns the state of the work below a node. This function is called if no counted task is completed. The
 * descendants are scanned, because work may be in progress, or all work may be completed research.
 */
function workStateOf(spec: SpecModel, node: SpecNode): WorkState {
  const known = workStates.get(spec) ?? new Map<string, WorkState>();
  workStates.set(spec, known);
  const state = known.get(node.id) ?? scanDescendants(spec, node, known);
  known.set(node.id, state);
  return state;
}

function scanDescendants(spec: SpecModel, node: SpecNode, known: ReadonlyMap<string, WorkState>): WorkState {
  let [hasOpen, hasDone] = [false, false];
  const seen = new Set<string>([node.id]);
  // The nodes are visited in the order of work, because work in progress is usually near the start.
  const stack = node.children.toReversed();
  for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
    const each = seen.has(id) ? undefined : spec.node(id);
    seen.add(id);
    if (each === undefined) continue;
    const state = known.get(id);
    if (state?.isStarted === true) return state;
    if (state !== undefined) {
      hasOpen ||= state.hasOpen;
      hasDone ||= state.hasDone;
      continue;
    }
    for (const child of each.children.toReversed()) stack.push(child);
    if (!spec.isLeaf(each) || containerTypes.has(each.type)) continue;
    if (each.status === "in_progress") return { isStarted: true, hasOpen: true, hasDone };
    if (each.status === "completed") hasDone = true;
    else hasOpen = true;
  }
  return { isStarted: false, hasOpen, hasDone };
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

/**
 * Returns the edits of the completion time. A leaf keeps its own time; the time of a parent is derived from
 * the status of the parent.
 */
function completedAtEdits(spec: SpecModel, node: SpecNode, status: NodeStatus, now: string): readonly Edit[] {
  if (spec.isLeaf(node) && !containerTypes.has(node.type)) return [];
  if (status !== "completed") return metadataEdits(node, { completed_at: undefined });
  // Files do not store a completion time for the spec itself.
  return node.status === "completed" || node.id === rootId ? [] : metadataEdits(node, { completed_at: now });
}

/**
 * Returns the edits of the fields at the top of a file that repeat values of the root. Fields that the file
 * does not have are not added.
 */
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
  const stored = Object.entries(mirrors).filter(([key]) => Object.hasOwn(spec.fields, key));
  return setEdits([], spec.fields, { last_updated: now, ...Object.fromEntries(stored) });
}
