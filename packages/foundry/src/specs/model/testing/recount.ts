import type { NodeStatus, SpecDocument } from "../spec-document.ts";

/** A node of a valid spec. */
export interface PlainNode {
  type: string;
  title: string;
  status: NodeStatus;
  parent: string | null;
  children: string[];
  total_tasks: number;
  completed_tasks: number;
  metadata: Record<string, unknown>;
  dependencies: { blocks: string[]; blocked_by: string[]; depends: string[] };
}

/** Returns all nodes of a valid spec. */
export function nodesOf(document: SpecDocument): Record<string, PlainNode> {
  return document["hierarchy"] as Record<string, PlainNode>;
}

/** The expected counts and status of a node. */
export interface Recount {
  readonly total: number;
  readonly completed: number;
  readonly status: NodeStatus;
}

/** Counts the leaves of a node without using the tested code. */
export function recount(document: SpecDocument, id: string): Recount {
  const nodes = nodesOf(document);
  const node = nodes[id] as PlainNode;
  const leaves = leavesOf(nodes, id).map((leaf) => nodes[leaf] as PlainNode);
  const work = leaves.filter(({ type }) => ["task", "subtask", "verify", "research"].includes(type));
  const counted = work.filter(({ type }) => type !== "research");
  const isWork = ["task", "subtask", "verify", "research"].includes(node.type);
  const total = counted.length;
  const completed = counted.filter(({ status }) => status === "completed").length;
  if (node.children.length === 0 && isWork) return { total, completed, status: node.status };
  const deciding = total > 0 ? counted : work;
  if (deciding.length > 0 && deciding.every(({ status }) => status === "completed"))
    return { total, completed, status: "completed" };
  if (node.status === "blocked") return { total, completed, status: "blocked" };
  const hasBegun = work.some(({ status }) => status === "in_progress" || status === "completed");
  return { total, completed, status: hasBegun ? "in_progress" : "pending" };
}

/** Returns the leaves below a node; if the node has no children, returns the node itself. */
export function leavesOf(nodes: Record<string, PlainNode>, id: string): readonly string[] {
  const { children } = nodes[id] as PlainNode;
  return children.length === 0 ? [id] : children.flatMap((child) => leavesOf(nodes, child));
}

/** Returns the ids on the path from a node up to the root. */
export function pathToRoot(nodes: Record<string, PlainNode>, id: string): readonly string[] {
  const { parent } = nodes[id] as PlainNode;
  return parent === null ? [id] : [id, ...pathToRoot(nodes, parent)];
}

/** Returns all inconsistencies of a spec; the result is empty for a valid spec. */
export function problemsOf(document: SpecDocument): readonly string[] {
  const nodes = nodesOf(document);
  const problems: string[] = [];
  const listed = new Map<string, string>();
  for (const [id, node] of Object.entries(nodes)) {
    const { total, completed, status } = recount(document, id);
    if (node.total_tasks !== total) problems.push(`${id}: total_tasks ${node.total_tasks}, not ${total}`);
    if (node.completed_tasks !== completed)
      problems.push(`${id}: completed_tasks ${node.completed_tasks}, not ${completed}`);
    if (node.status !== status) problems.push(`${id}: status ${node.status}, not ${status}`);
    const isDone = status === "completed";
    if (!isDone && "completed_at" in node.metadata) problems.push(`${id}: completed_at, but ${status}`);
    for (const child of node.children) {
      if (listed.has(child)) problems.push(`${child}: listed by ${listed.get(child)} and ${id}`);
      listed.set(child, id);
      if (nodes[child]?.parent !== id) problems.push(`${child}: parent ${nodes[child]?.parent}, not ${id}`);
    }
    for (const other of node.dependencies.blocked_by)
      if (!nodes[other]?.dependencies.blocks.includes(id)) problems.push(`${other}: does not block ${id}`);
    for (const other of node.dependencies.blocks)
      if (!nodes[other]?.dependencies.blocked_by.includes(id))
        problems.push(`${other}: not blocked by ${id}`);
  }
  for (const id of Object.keys(nodes))
    if (id !== "spec-root" && !listed.has(id)) problems.push(`${id}: listed by nobody`);
  return [...problems, ...mirrorProblems(document)];
}

function mirrorProblems(document: SpecDocument): readonly string[] {
  const nodes = nodesOf(document);
  const { total, completed, status } = recount(document, "spec-root");
  const open = nodes["spec-root"]?.children.find(
    (id) => nodes[id]?.type === "phase" && recount(document, id).status !== "completed",
  );
  const wanted: Record<string, unknown> = {
    progress_percentage: total === 0 ? 0 : Math.floor((100 * completed) / total),
    status,
    current_phase: open ?? null,
  };
  return Object.entries(wanted)
    .filter(([key, value]) => key in document && document[key] !== value)
    .map(([key, value]) => `${key}: ${String(document[key])}, not ${String(value)}`);
}

/**
 * True if all work can be done in some order. The order is found by repeatedly completing all tasks that may
 * start.
 */
export function isDoable(document: SpecDocument): boolean {
  const nodes = nodesOf(document);
  const open = new Set(Object.keys(nodes).filter((id) => nodes[id]?.children.length === 0));
  const isDone = (id: string) => leavesOf(nodes, id).every((leaf) => !open.has(leaf));
  const mayStart = (id: string) =>
    pathToRoot(nodes, id).every((up) => (nodes[up] as PlainNode).dependencies.blocked_by.every(isDone));
  for (let before = -1; before !== open.size; ) {
    before = open.size;
    for (const id of open) if (mayStart(id)) open.delete(id);
  }
  return open.size === 0;
}
