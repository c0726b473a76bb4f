import type { SpecDocument } from "../spec-document.ts";
import { leavesOf, nodesOf, type PlainNode, pathToRoot } from "./recount.ts";

/**
 * Computes the readiness of the nodes of a valid spec without using the tested code. The speed does not
 * matter.
 */
export function naiveReadiness(document: SpecDocument) {
  const nodes = nodesOf(document);
  const node = (id: string) => nodes[id] as PlainNode;
  const isOpen = (id: string) => node(id).status !== "completed";
  const isWork = (id: string) => ["task", "subtask"].includes(node(id).type);
  const blockersOf = (id: string) => pathToRoot(nodes, id).flatMap((up) => node(up).dependencies.blocked_by);

  /** Returns the leaves that must end before a node starts. */
  const before = (id: string): ReadonlySet<string> => {
    const found = new Set<string>();
    const stack = [...blockersOf(id)];
    for (let blocker = stack.pop(); blocker !== undefined; blocker = stack.pop()) {
      for (const leaf of leavesOf(nodes, blocker)) {
        if (found.has(leaf)) continue;
        found.add(leaf);
        stack.push(...blockersOf(leaf));
      }
    }
    return found;
  };

  /** Returns the open work that a verify node verifies and that does not depend on the verify node. */
  const openWorkOf = (id: string): readonly string[] => {
    if (node(id).type !== "verify" || node(id).children.length > 0) return [];
    const [, ...above] = pathToRoot(nodes, id);
    const work = above.map((up) => leavesOf(nodes, up).filter(isWork)).find((leaves) => leaves.length > 0);
    return (work ?? []).filter((leaf) => isOpen(leaf) && !before(leaf).has(id));
  };

  const isBlocked = (id: string) => blockersOf(id).some(isOpen);

  /** True if a leaf waits for nothing, or waits directly or indirectly for a leaf that waits for nothing. */
  const canProgress = (id: string): boolean => {
    const seen = new Set([id]);
    for (const each of seen) {
      const waits = [
        ...blockersOf(each)
          .filter(isOpen)
          .flatMap((blocker) => leavesOf(nodes, blocker).filter(isOpen)),
        ...openWorkOf(each),
      ];
      if (waits.length === 0) return true;
      for (const other of waits) seen.add(other);
    }
    return false;
  };

  return {
    openWorkOf,
    isBlocked,
    canProgress,
    /** True if a leaf has no open blockers and is not a verify node that waits for open work. */
    isReady: (id: string) => !isBlocked(id) && (openWorkOf(id).length === 0 || !canProgress(id)),
  };
}
