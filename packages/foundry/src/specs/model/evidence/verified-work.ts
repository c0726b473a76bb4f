import { isTaskNode } from "../find-node.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/**
 * The work that a verification verifies: what it waits for, and what stands before it under the same parent, with
 * all that is below those. Files keep verifications in a group of their own at the end of a phase; what such a
 * group waits for, and what stands before it, is meant as well. Other verifications are no part of it.
 */
export function verifiedWork(spec: SpecModel, verifyId: string): readonly SpecNode[] {
  const found = new Map<string, SpecNode>();
  const [verify, ...above] = spec.ancestry(verifyId);
  if (verify === undefined) return [];
  const groups = above.slice(
    0,
    above.findIndex(({ type }) => type !== "group"),
  );
  const seen = new Set<string>([verifyId]);
  for (const node of [verify, ...groups])
    for (const id of [...node.blockedBy, ...siblingsBefore(spec, node)]) collect(spec, id, found, seen);
  return [...found.values()];
}

function siblingsBefore(spec: SpecModel, { id, parent }: SpecNode): readonly string[] {
  const siblings = parent === null ? [] : (spec.node(parent)?.children ?? []);
  return siblings.slice(0, Math.max(0, siblings.indexOf(id)));
}

/** The work at and below a node; parents that are work themselves belong to it, for they say what is to be done. */
function collect(spec: SpecModel, id: string, found: Map<string, SpecNode>, seen: Set<string>): void {
  const waiting = [id];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const node = seen.has(next) ? undefined : spec.node(next);
    seen.add(next);
    if (node === undefined || node.type === "verify") continue;
    if (isTaskNode(node)) found.set(node.id, node);
    waiting.push(...node.children.toReversed());
  }
}
