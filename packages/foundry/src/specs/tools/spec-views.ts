import type { UnknownRecord } from "@foundry-mcp/contract";
import { findBlocker } from "../model/blocker.ts";
import { openBlockers } from "../model/dependencies.ts";
import { priorityOf } from "../model/priority.ts";
import { awaitedWork } from "../model/readiness.ts";
import { rootId } from "../model/spec-document.ts";
import { progressOf, type SpecModel, type SpecNode } from "../model/spec-model.ts";
import type { SpecSnapshot, SpecSummary } from "../stores/spec-store.ts";

/** Converts a spec to a row of a list. */
export function toSpecRow({ id, title, folder, progress, updated, planning, revision }: SpecSummary) {
  return {
    id,
    title,
    status: folder,
    progress: progressOf(progress),
    ...(updated === undefined ? {} : { last_updated: updated }),
    ...toPlanning(planning ?? {}),
    revision,
  };
}

/** Returns the fields that plan the work on a spec or a task. Fields without a valid value are left out. */
function toPlanning({ priority, labels, owner }: UnknownRecord) {
  return {
    ...(priorityOf({ priority }) === undefined ? {} : { priority: priorityOf({ priority }) }),
    ...(isTexts(labels) && labels.length > 0 ? { labels } : {}),
    ...(typeof owner === "string" && owner !== "" ? { owner } : {}),
  };
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((each) => typeof each === "string");
}

/** Returns the status and progress of a spec. */
export function toSpecStatus<R extends string | null>({
  id,
  folder,
  model,
  revision,
}: Pick<SpecSnapshot, "id" | "folder" | "model"> & { readonly revision: R }) {
  return {
    spec_id: id,
    title: model.title || id,
    status: folder,
    progress: progressOf(model.tally(rootId)),
    revision,
  };
}

/** Converts a task to a row of a list. */
export function toTaskRow(node: SpecNode) {
  const { id, title, status, type, parent, metadata } = node;
  const { description, file_path: filePath, task_category: category, estimated_hours: hours } = metadata;
  const { discovered_from: from } = metadata;
  return {
    task_id: id,
    title,
    description: typeof description === "string" ? description : "",
    status,
    type,
    parent,
    ...(typeof filePath === "string" ? { file_path: filePath } : {}),
    ...(typeof category === "string" ? { task_category: category } : {}),
    ...(typeof hours === "number" ? { estimated_hours: hours } : {}),
    ...toPlanning(metadata),
    ...(typeof from === "string" ? { discovered_from: from } : {}),
    ...(node.blockedBy.length === 0 ? {} : { blocked_by: node.blockedBy }),
  };
}

/** Converts a task to a payload with all of its fields. */
export function toTask(spec: SpecModel, node: SpecNode) {
  const { id, title, status, type, parent, children, blockedBy, blocks, depends, metadata } = node;
  const { completed, total } = spec.tally(id);
  // Some files store the description in the node and not in its metadata.
  const own = metadata["description"] === undefined ? node.raw["description"] : undefined;
  return {
    task_id: id,
    title,
    ...(typeof own === "string" ? { description: own } : {}),
    status,
    type,
    parent,
    children,
    dependencies: { blocked_by: blockedBy, blocks, depends },
    ...(children.length === 0 ? {} : { progress: progressOf({ completed, total }) }),
    ...toBlockerFields(spec, node),
    metadata,
  };
}

/** Returns the dependencies and dependents of a task. */
export function toDependencies(spec: SpecModel, node: SpecNode) {
  const work = awaitedWork(spec, node);
  const blockers = [
    ...new Map(
      [...openBlockers(spec, node.id), ...(work?.first ?? [])].map((each) => [each.id, each]),
    ).values(),
  ];
  const brief = (id: string) => {
    const other = spec.node(id);
    return { task_id: id, title: other?.title ?? "", status: other?.status ?? "missing" };
  };
  // The documents of the contract print `status: "blocked"` for a pending task that waits.
  const status = blockers.length > 0 && node.status === "pending" ? "blocked" : node.status;
  return {
    task_id: node.id,
    status,
    ...(status === node.status ? {} : { stored_status: node.status }),
    can_start: blockers.length === 0 && (node.status === "pending" || node.status === "in_progress"),
    blocked_by: blockers.map(({ id }) => id),
    blockers: blockers.map(({ id }) => brief(id)),
    ...(work === undefined ? {} : { open_work: { parent: work.scope, count: work.count } }),
    blocks: node.blocks.map(brief),
    soft_depends: node.depends.map(brief),
    ...toBlockerFields(spec, node),
  };
}

/** Returns the reason why a task cannot continue, and the time at which the task was blocked. */
function toBlockerFields(spec: SpecModel, node: SpecNode): UnknownRecord {
  const blocker = findBlocker(spec, node);
  const { blocked_at } = node.metadata;
  return {
    ...(blocker === undefined ? {} : { blocker }),
    ...(node.status === "blocked" && blocked_at !== undefined ? { blocked_at } : {}),
  };
}

/** Returns the phase that contains a node. */
export function phaseOf(spec: SpecModel, id: string): SpecNode | undefined {
  return spec.ancestry(id).find(({ type }) => type === "phase");
}

/** Returns the progress of a node and of all phases. */
export function toNodeProgress(spec: SpecModel, node: SpecNode) {
  const { completed, total } = spec.tally(node.id);
  const phases = spec.phases;
  const current = phases.find(({ id }) => {
    const tally = spec.tally(id);
    return tally.total > tally.completed;
  });
  const brief = (phase: SpecNode) => {
    const tally = spec.tally(phase.id);
    return { id: phase.id, title: phase.title, completed: tally.completed, total: tally.total };
  };
  return {
    spec_id: spec.id,
    node_id: node.id,
    title: node.id === rootId ? spec.title : node.title,
    type: node.type,
    status: node.status,
    total_tasks: total,
    completed_tasks: completed,
    percentage: progressOf({ completed, total }).percentage,
    remaining_tasks: total - completed,
    current_phase: current === undefined ? null : brief(current),
    phases: phases.map((phase) => ({ ...brief(phase), status: phase.status })),
  };
}
