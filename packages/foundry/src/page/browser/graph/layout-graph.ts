import { rootId } from "../../../specs/model/spec-document.ts";
import type { SpecModel, SpecNode } from "../../../specs/model/spec-model.ts";
import { phaseLookup, tasksOf } from "../model/filter.ts";
import { toWorkOrder } from "./ranks.ts";

/** A box of the graph: a task, a folded phase, or the tasks of a phase that are left out. */
export interface GraphBox {
  readonly id: string;
  readonly kind: "task" | "phase" | "rest";
  readonly node: SpecNode;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  /** The number of tasks that a box of the kind `rest` stands for. */
  readonly count: number;
}

/**
 * A phase with its boxes. Tasks that can be done at the same time are placed one above the other, all others from
 * left to right.
 */
export interface Lane {
  readonly phase: SpecNode;
  readonly isOpen: boolean;
  readonly y: number;
  readonly height: number;
}

/** A dependency between two boxes. */
export interface GraphEdge {
  readonly key: string;
  readonly path: string;
  /** The longest chain, a dependency of a task, or one between phases. */
  readonly kind: "critical" | "task" | "phase";
}

/** The graph of a spec, ready to be drawn. */
export interface Graph {
  readonly lanes: readonly Lane[];
  readonly boxes: readonly GraphBox[];
  readonly edges: readonly GraphEdge[];
  readonly width: number;
  readonly height: number;
}

const boxWidth = 176;
const boxHeight = 44;
const gapX = 44;
const gapY = 10;
const laneTitle = 30;
const lanePadding = 12;
const laneGap = 12;
/** Nobody can read more boxes than this, and a browser would take long to draw them. */
const maxTasksInLane = 80;
const maxLanes = 400;

/** Places the tasks of a spec: a phase is a lane, and what waits for something is further to the right. */
export function layoutGraph(model: SpecModel, open: ReadonlySet<string>): Graph {
  const { ranks, criticalPath } = toWorkOrder(model);
  const isCritical = new Set(criticalPath);
  const phaseOf = phaseLookup(model);
  const members = new Map<string, SpecNode[]>();
  for (const node of tasksOf(model)) {
    const id = phaseOf(node.id)?.id ?? rootId;
    const own = members.get(id);
    if (own === undefined) members.set(id, [node]);
    else own.push(node);
  }
  const lanes: Lane[] = [];
  const boxes: GraphBox[] = [];
  let y = 0;
  for (const [phaseId, tasks] of [...members].slice(0, maxLanes)) {
    const phase = model.node(phaseId);
    if (phase === undefined) continue;
    const isOpen = open.has(phaseId);
    const top = y + laneTitle + lanePadding;
    const shown = isOpen ? choose(tasks, isCritical) : [];
    const inRank = new Map<number, number>();
    for (const node of shown) {
      const rank = ranks.get(node.id) ?? 0;
      const row = inRank.get(rank) ?? 0;
      inRank.set(rank, row + 1);
      boxes.push({
        id: node.id,
        kind: "task",
        node,
        ...at(rank, top, row),
        width: boxWidth,
        height: boxHeight,
        count: 1,
      });
    }
    if (shown.length < tasks.length) {
      const own = tasks.map(({ id }) => ranks.get(id) ?? 0);
      const first = own.reduce((min, each) => Math.min(min, each), Number.POSITIVE_INFINITY);
      const last = own.reduce((max, each) => Math.max(max, each), 0);
      const row = isOpen ? (inRank.get(first) ?? 0) : 0;
      inRank.set(first, row + 1);
      boxes.push({
        id: isOpen ? `rest of ${phaseId}` : phaseId,
        kind: isOpen ? "rest" : "phase",
        node: phase,
        ...at(first, top, row),
        width: isOpen ? boxWidth : (last - first) * (boxWidth + gapX) + boxWidth,
        height: boxHeight,
        count: tasks.length - shown.length,
      });
    }
    const rows = [...inRank.values()].reduce((max, each) => Math.max(max, each), 1);
    const height = laneTitle + 2 * lanePadding + rows * (boxHeight + gapY) - gapY;
    lanes.push({ phase, isOpen, y, height });
    y += height + laneGap;
  }
  const width = boxes.reduce((max, box) => Math.max(max, box.x + box.width), 0) + lanePadding;
  return {
    lanes,
    boxes,
    edges: toEdges(model, boxes, lanes, criticalPath),
    width,
    height: Math.max(0, y - laneGap),
  };
}

function at(rank: number, top: number, row: number): { readonly x: number; readonly y: number } {
  return { x: lanePadding + rank * (boxWidth + gapX), y: top + row * (boxHeight + gapY) };
}

/** Chooses the tasks that matter most, if a phase has too many: those of the critical path, then those with dependencies. */
function choose(tasks: readonly SpecNode[], isCritical: ReadonlySet<string>): readonly SpecNode[] {
  if (tasks.length <= maxTasksInLane) return tasks;
  const weight = (node: SpecNode) =>
    (isCritical.has(node.id) ? 4 : 0) +
    (node.blockedBy.length + node.blocks.length > 0 ? 2 : 0) +
    (node.status === "completed" ? 0 : 1);
  const chosen = new Set(tasks.toSorted((a, b) => weight(b) - weight(a)).slice(0, maxTasksInLane));
  return tasks.filter((node) => chosen.has(node));
}

interface End {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
}

function toEdges(
  model: SpecModel,
  boxes: readonly GraphBox[],
  lanes: readonly Lane[],
  criticalPath: readonly string[],
): readonly GraphEdge[] {
  const ends = new Map<string, End>();
  for (const { id, x, y, width, height } of boxes)
    ends.set(id, { left: x, right: x + width, middle: y + height / 2 });
  // An open phase has no box of its own: its edges begin and end at the boxes at its sides.
  const phaseOf = phaseLookup(model);
  for (const { phase, isOpen, y } of lanes) {
    if (!isOpen) continue;
    const own = boxes.filter(({ id, kind }) => kind === "task" && phaseOf(id)?.id === phase.id);
    const left = own.reduce((min, { x }) => Math.min(min, x), Number.POSITIVE_INFINITY);
    const right = own.reduce((max, { x, width }) => Math.max(max, x + width), 0);
    if (own.length > 0) ends.set(phase.id, { left, right, middle: y + laneTitle / 2 + 8 });
  }
  const endOf = (id: string): readonly [string, End] | undefined => {
    const own = ends.get(id);
    if (own !== undefined) return [id, own];
    const phase = phaseOf(id)?.id ?? "";
    const folded = ends.get(phase);
    return folded === undefined ? undefined : [phase, folded];
  };
  const edges = new Map<string, GraphEdge>();
  for (const id of model.ids) {
    const node = model.node(id);
    if (node === undefined || node.blockedBy.length === 0) continue;
    const to = endOf(id);
    for (const blocker of node.blockedBy) {
      const from = endOf(blocker);
      if (from === undefined || to === undefined || from[0] === to[0]) continue;
      const key = `${from[0]} → ${to[0]}`;
      const kind = model.isLeaf(node) ? "task" : "phase";
      if (!edges.has(key)) edges.set(key, { key, path: curve(from[1], to[1]), kind });
    }
  }
  // The path also leads from a task to the first task of a phase that waits for its phase.
  for (const [index, id] of criticalPath.entries()) {
    const [from, to] = [endOf(criticalPath[index - 1] ?? ""), endOf(id)];
    if (from === undefined || to === undefined || from[0] === to[0]) continue;
    const key = `${from[0]} → ${to[0]}`;
    edges.delete(key);
    edges.set(key, { key, path: curve(from[1], to[1]), kind: "critical" });
  }
  return [...edges.values()];
}

function curve(from: End, to: End): string {
  const reach = Math.max(24, Math.abs(to.left - from.right) / 2);
  return `M${from.right} ${from.middle}C${from.right + reach} ${from.middle} ${to.left - reach} ${to.middle} ${to.left - 5} ${to.middle}`;
}
