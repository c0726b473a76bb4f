import { ContractError } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { findCycle } from "../dependencies.ts";
import { requireNode } from "../find-node.ts";
import { linkEdits, unlinkEdits } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";
import { circularDependency } from "./change-dependency.ts";

/** A dependency between two phases. */
export interface PhaseLink {
  readonly phase_id: string;
  readonly depends_on: string;
}

/** An added or removed dependency between phases. */
export interface LinkChange extends PhaseLink {
  readonly change: "added" | "removed";
}

/** The phases before and after a phase, in the order of work. */
export interface Neighbours {
  readonly previous: SpecNode | undefined;
  readonly next: SpecNode | undefined;
}

/** Returns the phases before and after a phase. */
export function neighboursOf(spec: SpecModel, id: string): Neighbours {
  const phases = spec.childrenOf(rootId).filter((node) => node.type === "phase" || node.id === id);
  const at = phases.findIndex((node) => node.id === id);
  return { previous: phases[at - 1], next: at === -1 ? undefined : phases[at + 1] };
}

/**
 * True if a phase is part of a chain. A phase is part of a chain if it waits for the previous phase. The
 * first phase is part of a chain if the next phase waits for it.
 */
export function isChained(phase: SpecNode, { previous, next }: Neighbours): boolean {
  return previous === undefined ? waitsFor(next, phase) : waitsFor(phase, previous);
}

/**
 * Returns the links that change when a phase leaves its chain. If both the previous and the next phase were
 * linked to the phase, they are then linked to each other.
 */
export function closeChain(phase: SpecNode, { previous, next }: Neighbours): readonly LinkChange[] {
  const wasLinked = waitsFor(phase, previous);
  const hadFollower = waitsFor(next, phase);
  return [
    ...(wasLinked ? [toChange(phase, previous, "removed")] : []),
    ...(hadFollower ? [toChange(next, phase, "removed")] : []),
    ...(wasLinked && hadFollower && !waitsFor(next, previous) ? [toChange(next, previous, "added")] : []),
  ].flat();
}

/** Returns the links that change when a phase joins the chain at its new position. */
export function joinChain(
  phase: SpecNode,
  { previous, next }: Neighbours,
  wasChained: boolean,
): readonly LinkChange[] {
  const hasFollower = previous === undefined ? wasChained && next !== undefined : waitsFor(next, previous);
  return [
    ...(hasFollower && previous !== undefined ? [toChange(next, previous, "removed")] : []),
    ...(hasFollower && !waitsFor(next, phase) ? [toChange(next, phase, "added")] : []),
    ...(previous === undefined || waitsFor(phase, previous) ? [] : [toChange(phase, previous, "added")]),
  ].flat();
}

/** Drops changes that cancel each other out. */
export function netChanges(changes: readonly LinkChange[]): readonly LinkChange[] {
  const last = new Map<string, LinkChange[]>();
  for (const each of changes) {
    const key = JSON.stringify([each.phase_id, each.depends_on]);
    const before = last.get(key) ?? [];
    last.set(key, before.length > 0 ? before.slice(1) : [each]);
  }
  return [...last.values()].flat();
}

/** Returns the edits of link changes; removals come first. Throws if a new link closes a cycle. */
export function chainEdits(spec: SpecModel, changes: readonly LinkChange[]): readonly Edit[] {
  const edits: Edit[] = [];
  let current = spec;
  const make = (more: readonly Edit[]) => {
    edits.push(...more);
    current = current.after(more);
  };
  for (const { phase_id, depends_on } of changes.filter(({ change }) => change === "removed")) {
    make(unlinkEdits(requireNode(current, phase_id), "blocked_by", (id) => id === depends_on));
    make(unlinkEdits(requireNode(current, depends_on), "blocks", (id) => id === phase_id));
  }
  for (const { phase_id, depends_on } of changes.filter(({ change }) => change === "added")) {
    const cycle = findCycle(current, phase_id, depends_on);
    if (cycle !== undefined) throw chainCycleError(current, { phase_id, depends_on }, cycle);
    make(linkEdits(requireNode(current, phase_id), "blocked_by", [depends_on]));
    make(linkEdits(requireNode(current, depends_on), "blocks", [phase_id]));
  }
  return edits;
}

function waitsFor(phase: SpecNode | undefined, other: SpecNode | undefined): boolean {
  return phase !== undefined && other !== undefined && phase.blockedBy.includes(other.id);
}

function toChange(
  phase: SpecNode | undefined,
  other: SpecNode | undefined,
  change: LinkChange["change"],
): readonly LinkChange[] {
  return phase === undefined || other === undefined
    ? []
    : [{ phase_id: phase.id, depends_on: other.id, change }];
}

function chainCycleError(
  spec: SpecModel,
  { phase_id, depends_on }: PhaseLink,
  cycle: readonly string[],
): ContractError {
  const error = circularDependency(spec, phase_id, depends_on, cycle);
  return new ContractError(error.message, {
    ...error.options,
    remediation: `Pass {--link_previous=false} to leave dependencies as they are${error.options.remedy === undefined ? "" : ", or remove one of the cycle first: {1}"}.`,
  });
}
