import type { UnknownRecord } from "@foundry-mcp/contract";
import { hashOfWork, verifiedWork } from "../evidence/work-hash.ts";
import { isTaskNode } from "../find-node.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/**
 * Returns the work that a review of a node covers. A review of a verify node covers the verified work. A
 * review of any other node covers the tasks at and below the node, except verify nodes.
 */
export function reviewedWork(spec: SpecModel, id: string): readonly SpecNode[] {
  if (spec.node(id)?.type === "verify") return verifiedWork(spec, id);
  const ids = id === rootId ? spec.order : [...spec.subtree(id)];
  return ids
    .map((each) => spec.node(each))
    .filter((node) => node !== undefined)
    .filter((node) => isTaskNode(node) && node.type !== "verify");
}

/** Returns a short hash of the work that a review covers. The hash changes if the work changes. */
export function reviewHash(spec: SpecModel, id: string): string {
  return hashOfWork(spec, reviewedWork(spec, id));
}

/**
 * Creates a function that returns true if the work has changed since a stored review, or if the review does
 * not contain the hash of the work.
 */
export function createStaleCheck(spec: SpecModel): (id: string, review: UnknownRecord) => boolean {
  const hashes = new Map<string, string>();
  return (id, { work_hash: stored }) => {
    const hash = hashes.get(id) ?? reviewHash(spec, id);
    hashes.set(id, hash);
    return stored !== hash;
  };
}
