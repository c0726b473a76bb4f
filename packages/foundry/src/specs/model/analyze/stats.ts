import { type Progress, progressOf } from "../progress.ts";
import { type NodeStatus, nodeStatuses, rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/** What a phase holds. */
export interface PhaseStats {
  readonly phase_id: string;
  readonly title: string;
  readonly status: NodeStatus;
  readonly tasks: number;
  readonly verifications: number;
  readonly progress: Progress;
}

/** A spec in numbers. */
export interface SpecStats {
  readonly totals: {
    readonly nodes: number;
    readonly tasks: number;
    readonly phases: number;
    readonly verifications: number;
  };
  /** The work itself by status: what counts towards progress. */
  readonly status_counts: Readonly<Record<NodeStatus, number>>;
  /** Levels below the root. */
  readonly max_depth: number;
  readonly avg_tasks_per_phase: number;
  /** The share of phases that have a verification, from 0 to 1. */
  readonly verification_coverage: number;
  readonly progress: Progress;
  readonly phases: readonly PhaseStats[];
}

/** Counts what a spec holds. */
export function toStats(spec: SpecModel): SpecStats {
  const nodes = spec.order.map((id) => spec.node(id)).filter((node) => node !== undefined);
  const statusCounts = Object.fromEntries(nodeStatuses.map((status) => [status, 0])) as Record<
    NodeStatus,
    number
  >;
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
    max_depth: [...depths.values()].reduce((most, depth) => Math.max(most, depth), 0),
    avg_tasks_per_phase: share(tasks, phases.length),
    verification_coverage: share(covered, phases.length),
    progress: progressOf(spec.tally(rootId)),
    phases: phases.map(({ id, title, status }) => ({
      ...{ phase_id: id, title, status },
      ...(inPhase.get(id) ?? { tasks: 0, verifications: 0 }),
      progress: progressOf(spec.tally(id)),
    })),
  };
}

/** The level of every node and the phase that it is in. Parents come before children in the order of work. */
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

/** A quotient with two digits behind the point. */
function share(part: number, whole: number): number {
  return whole === 0 ? 0 : Math.round((part / whole) * 100) / 100;
}
