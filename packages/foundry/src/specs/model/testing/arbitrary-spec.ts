import fc from "fast-check";
import { type NodeStatus, nodeStatuses, type SpecDocument } from "../spec-document.ts";
import { nodesOf, type PlainNode, recount } from "./recount.ts";

/** Options of a generated spec. */
export interface ArbitrarySpecOptions {
  /** The maximum number of nodes. @default 200 */
  readonly maxNodes?: number;
}

const workTypes = ["task", "task", "subtask", "verify", "research", "group"] as const;

/**
 * Generates valid specs. Such a spec has a random tree, dependencies without cycles, random statuses, and
 * consistent counts, statuses and mirrored fields.
 */
export function arbitrarySpec({ maxNodes = 200 }: ArbitrarySpecOptions = {}): fc.Arbitrary<SpecDocument> {
  const work = fc.record({
    type: fc.constantFrom(...workTypes),
    status: fc.constantFrom<NodeStatus>(...nodeStatuses, "pending"),
    parent: fc.nat(),
    blockers: fc.array(fc.nat(), { maxLength: 2 }),
    isPlain: fc.boolean(),
  });
  return fc
    .record({
      phases: fc.array(fc.array(fc.nat(), { maxLength: 1 }), { minLength: 1, maxLength: 6 }),
      work: fc.array(work, { maxLength: maxNodes - 7, size: "max" }),
      hasMirrors: fc.boolean(),
      hasJournal: fc.boolean(),
    })
    .map(({ phases, work, hasMirrors, hasJournal }) => {
      const nodes: Record<string, PlainNode> = { "spec-root": toNode("spec", null) };
      for (const index of phases.keys()) adopt(nodes, `phase-${index + 1}`, toNode("phase", "spec-root"));
      const wantedBlockers = new Map(phases.map((blockers, index) => [`phase-${index + 1}`, blockers]));
      for (const { type, status, parent, blockers, isPlain } of work) {
        const holders = Object.keys(nodes).filter((id) => isHolder(nodes, id, type));
        const above = holders[parent % holders.length] as string;
        const kind = type === "subtask" ? "task" : type === "group" ? `${above}-group` : type;
        const stem = type === "group" ? kind : `${kind}-${above.match(/\d+/g)?.join("-")}`;
        let number = 1;
        while (`${stem}-${number}` in nodes) number += 1;
        const id = `${stem}-${number}`;
        adopt(nodes, id, { ...toNode(type, above), status: type === "group" ? "pending" : status });
        wantedBlockers.set(id, isPlain ? [] : blockers);
      }
      link(nodes, wantedBlockers);
      return toDocument(nodes, hasMirrors, hasJournal);
    });
}

/**
 * Builds a spec from lines that describe one node each, such as `phase-1`, `phase-1/task-1-1` or
 * `phase-1/task-1-2 completed < task-1-1`.
 */
export function specOf(...lines: readonly string[]): SpecDocument {
  const nodes: Record<string, PlainNode> = { "spec-root": toNode("spec", null) };
  const links: (readonly [string, string])[] = [];
  for (const line of lines) {
    const [place = "", ...blockers] = line.split(" < ");
    const [path = "", status = "pending"] = place.split(" ");
    const [id = "", parent = "spec-root"] = path.split("/").reverse();
    const word = id.split("-")[0] as string;
    const isSub = word === "task" && nodes[parent]?.type === "task";
    const type = word === "phase" && parent !== "spec-root" ? "group" : isSub ? "subtask" : word;
    adopt(nodes, id, { ...toNode(type, parent), status: status as NodeStatus });
    for (const blocker of blockers) links.push([id, blocker]);
  }
  for (const [id, blocker] of links) connect(nodes, id, blocker);
  return toDocument(nodes, true, true);
}

function toNode(type: string, parent: string | null): PlainNode {
  return {
    type,
    title: `A ${type}`,
    status: "pending",
    parent,
    children: [],
    total_tasks: 0,
    completed_tasks: 0,
    metadata: {},
    dependencies: { blocks: [], blocked_by: [], depends: [] },
  };
}

function adopt(nodes: Record<string, PlainNode>, id: string, node: PlainNode): void {
  nodes[id] = node;
  nodes[node.parent as string]?.children.push(id);
}

function isHolder(nodes: Record<string, PlainNode>, id: string, type: string): boolean {
  const allowed = type === "group" ? ["phase"] : ["phase", "group", "task", "subtask"];
  return allowed.includes(nodes[id]?.type as string);
}

/**
 * Adds dependencies only on nodes that end before the waiting node starts in the order of work. Such
 * dependencies cannot form a cycle.
 */
function link(
  nodes: Record<string, PlainNode>,
  wantedBlockers: ReadonlyMap<string, readonly number[]>,
): void {
  const order: string[] = [];
  const visit = (id: string) => {
    order.push(id);
    nodes[id]?.children.forEach(visit);
  };
  nodes["spec-root"]?.children.forEach(visit);
  for (const [index, id] of order.entries()) {
    const above = new Set<string>();
    for (let up: string | null = id; up !== null; up = nodes[up]?.parent ?? null) above.add(up);
    const earlier = order.slice(0, index).filter((each) => !above.has(each));
    for (const wanted of wantedBlockers.get(id) ?? [])
      if (earlier.length > 0) connect(nodes, id, earlier[wanted % earlier.length] as string);
  }
}

function connect(nodes: Record<string, PlainNode>, id: string, blocker: string): void {
  const waiting = nodes[id]?.dependencies.blocked_by as string[];
  if (waiting.includes(blocker)) return;
  waiting.push(blocker);
  nodes[blocker]?.dependencies.blocks.push(id);
}

function toDocument(
  hierarchy: Record<string, PlainNode>,
  hasMirrors: boolean,
  hasJournal: boolean,
): SpecDocument {
  const document = { spec_id: "made-up-2026-01-01-001", title: "Made up", hierarchy };
  for (const id of Object.keys(hierarchy)) {
    const { total, completed, status } = recount(document, id);
    const node = nodesOf(document)[id] as PlainNode;
    node.total_tasks = total;
    node.completed_tasks = completed;
    node.status = status;
    if (status === "completed") node.metadata["completed_at"] = "2025-12-31T00:00:00Z";
  }
  const root = recount(document, "spec-root");
  const open = hierarchy["spec-root"]?.children.find((id) => hierarchy[id]?.status !== "completed");
  const mirrors = {
    progress_percentage: root.total === 0 ? 0 : Math.floor((100 * root.completed) / root.total),
    status: root.status,
    current_phase: open ?? null,
  };
  return {
    spec_id: document.spec_id,
    title: document.title,
    generated: "2025-12-01T00:00:00Z",
    last_updated: "2025-12-31T00:00:00Z",
    metadata: {},
    ...(hasMirrors ? mirrors : {}),
    hierarchy,
    ...(hasJournal ? { journal: [] } : {}),
  };
}
