import type { JsonValue } from "@foundry-mcp/contract";
import type { Edit } from "../../files/json-text/edit.ts";
import { metadataEdits, setEdits } from "./node-edits.ts";
import { type NodeStatus, type NodeType, rootId } from "./spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "./spec-model.ts";

/** Container types, whose status always follows from their descendants. */
const containerTypes: ReadonlySet<NodeType> = new Set(["spec", "phase", "group"]);

/**
 * Returns the edits that update stored counts, statuses and mirrored fields after other edits: for the
 * touched nodes, their ancestors before and after, and the root. Returns no edits if nothing was edited and
 * everything is consistent. `after` is the spec after the first edits.
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

/** Returns the status that follows from the descendants of a node; a task without children has its own. */
export function derivedStatus(spec: SpecModel, node: SpecNode): NodeStatus {
  if (spec.isLeaf(node) && !containerTypes.has(node.type)) return node.status;
  const { total, completed } = spec.tally(node.id);
  const { isStarted, hasOpen, hasDone } =
    completed > 0 ? { isStarted: false, hasOpen: total > completed, hasDone: true } : workStateOf(spec, node);
  if (hasDone && !hasOpen) return "completed";
  // Blocked is set explicitly: it stays until the node is unblocked or all work is done.
  if (node.status === "blocked") return "blocked";
  return isStarted || hasDone ? "in_progress" : "pending";
}

/** What the work below a node has in it. */
interface WorkState {
  /** A task in progress. */
  readonly isStarted: boolean;
  /** A task that is not completed. */
  readonly hasOpen: boolean;
  /** A completed task. */
  readonly hasDone: boolean;
}

/** The states of nodes, so that the ancestors of a node do not scan it again, each of them. */
const workStates = new WeakMap<SpecModel, Map<string, WorkState>>();

/**
 * Scans the descendants if no counted task is completed: work may be in progress, or all of it may be
 * completed research.
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
  // In the order of work, because work in progress is near the start.
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

/** A task keeps its own completion time; that of a parent follows from its status. */
function completedAtEdits(spec: SpecModel, node: SpecNode, status: NodeStatus, now: string): readonly Edit[] {
  if (spec.isLeaf(node) && !containerTypes.has(node.type)) return [];
  if (status !== "completed") return metadataEdits(node, { completed_at: undefined });
  // Files store no completion time for the spec itself.
  return node.status === "completed" || node.id === rootId ? [] : metadataEdits(node, { completed_at: now });
}

/** Updates the fields at the top of a file that mirror the root, if the file has them. */
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
