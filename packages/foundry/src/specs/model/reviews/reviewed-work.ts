import type { UnknownRecord } from "@foundry-mcp/contract";
import { hashOfWork, verifiedWork } from "../evidence/work-hash.ts";
import { isTaskNode } from "../find-node.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel, SpecNode } from "../spec-model.ts";

/**
 * Returns the work that a review of a node is about: the tasks at and below it, and for a verification the work that it
 * verifies. Verifications are no work.
 */
export function reviewedWork(spec: SpecModel, id: string): readonly SpecNode[] {
  if (spec.node(id)?.type === "verify") return verifiedWork(spec, id);
  const ids = id === rootId ? spec.order : [...spec.subtree(id)];
  return ids
    .map((each) => spec.node(each))
    .filter((node) => node !== undefined)
    .filter((node) => isTaskNode(node) && node.type !== "verify");
}

/** Returns a short hash of the work that a review is about; it changes when the work does. */
export function reviewHash(spec: SpecModel, id: string): string {
  return hashOfWork(spec, reviewedWork(spec, id));
}

/** True if the work has changed since a stored review, or if that does not tell which state it was about. */
export function createStaleCheck(spec: SpecModel): (id: string, review: UnknownRecord) => boolean {
  const hashes = new Map<string, string>();
  return (id, { work_hash: stored }) => {
    const hash = hashes.get(id) ?? reviewHash(spec, id);
    hashes.set(id, hash);
    return stored !== hash;
  };
}
