import { type NodeStatus, rootId } from "../spec-document.ts";
import { type Progress, progressOf, type SpecModel, type SpecNode } from "../spec-model.ts";

/** Statistics of a phase. */
export interface PhaseStats {
  readonly phase_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly tasks: number;
  readonly verifications: number;
  readonly progress: Progress;
}

/** Statistics of a spec. */
export interface SpecStats {
  readonly totals: {
    readonly nodes: number;
    readonly tasks: number;
    readonly phases: number;
    readonly verifications: number;
  };
  /** The number of counted tasks by status. */
  readonly status_counts: Readonly<Record<NodeStatus, number>>;
  /** The number of levels below the root. */
  readonly max_depth: number;
  readonly avg_tasks_per_phase: number;
  /** The share of phases that contain a verify node, from 0 to 1. */
  readonly phases_with_verify_share: number;
  readonly progress: Progress;
  readonly phases: readonly PhaseStats[];
}

/** Computes the statistics of a spec. */
export function toStats(spec: SpecModel): SpecStats {
  const nodes = spec.orderedNodes;
  const statusCounts: Record<NodeStatus, number> = { pending: 0, in_progress: 0, completed: 0, blocked: 0 };
  for (const node of nodes) if (spec.isCounted(node)) statusCounts[node.status] += 1;
  const { depths, phaseOf } = measure(spec);
  const inPhase = new Map<string, { tasks: number; verifications: number }>();
  for (const node of nodes) {
    if (node.type === "phase") inPhase.set(node.id, { tasks: 0, verifications: 0 });
    const counts = inPhase.get(phaseOf.get(node.id) ?? "");
    if (counts !== undefined && isTask(node)) counts.tasks += 1;
    if (counts !== undefined && node.type === "verify") counts.verifications += 1;
  }
  const phases = nodes.filter(({ type }) => type === "phase");
  const covered = [...inPhase.values()].filter(({ verifications }) => verifications > 0).length;
  const tasks = [...inPhase.values()].reduce((sum, each) => sum + each.tasks, 0);
  return {
    totals: {
      nodes: spec.ids.length,
      tasks: nodes.filter(isTask).length,
      phases: phases.length,
      verifications: nodes.filter(({ type }) => type === "verify").length,
    },
    status_counts: statusCounts,
    max_depth: [...depths.values()].reduce((max, depth) => Math.max(max, depth), 0),
    avg_tasks_per_phase: ratio(tasks, phases.length),
    phases_with_verify_share: ratio(covered, phases.length),
    progress: progressOf(spec.tally(rootId)),
    phases: phases.map(({ id, title, status }) => ({
      ...{ phase_id: id, title, status },
      ...(inPhase.get(id) ?? { tasks: 0, verifications: 0 }),
      progress: progressOf(spec.tally(id)),
    })),
  };
}

/**
 * Returns the depth of every node and the phase that contains the node. One pass is enough, because parents
 * come before their children in the order of work.
 */
function measure(spec: SpecModel) {
  const depths = new Map<string, number>([[rootId, 0]]);
  const phaseOf = new Map<string, string>();
  for (const id of [rootId, ...spec.order]) {
    const depth = depths.get(id) ?? 0;
    const phase = spec.node(id)?.type === "phase" ? id : phaseOf.get(id);
    for (const child of spec.node(id)?.children ?? []) {
      if (depths.has(child)) continue;
      depths.set(child, depth + 1);
      if (phase !== undefined) phaseOf.set(child, phase);
    }
  }
  return { depths, phaseOf };
}

function isTask({ type }: SpecNode): boolean {
  return type === "task" || type === "subtask";
}

/** Returns a quotient rounded to two decimals. */
function ratio(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100;
}
