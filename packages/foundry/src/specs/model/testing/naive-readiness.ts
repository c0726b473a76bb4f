import type { SpecDocument } from "../spec-document.ts";
import { leavesOf, nodesOf, type PlainNode, pathToRoot } from "./recount.ts";

/** Finds what waits for what in a valid spec without any of the code under test, and without regard to speed. */
export function naiveReadiness(document: SpecDocument) {
  const nodes = nodesOf(document);
  const node = (id: string) => nodes[id] as PlainNode;
  const isOpen = (id: string) => node(id).status !== "completed";
  const isWork = (id: string) => ["task", "subtask"].includes(node(id).type);
  const blockersOf = (id: string) => pathToRoot(nodes, id).flatMap((up) => node(up).dependencies.blocked_by);

  /** The leaves that must end before a node starts. */
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

  /** The open work that a verify node verifies and that does not depend on it. */
  const openWorkOf = (id: string): readonly string[] => {
    if (node(id).type !== "verify" || node(id).children.length > 0) return [];
    const [, ...above] = pathToRoot(nodes, id);
    const work = above.map((up) => leavesOf(nodes, up).filter(isWork)).find((leaves) => leaves.length > 0);
    return (work ?? []).filter((leaf) => isOpen(leaf) && !before(leaf).has(id));
  };

  const isBlocked = (id: string) => blockersOf(id).some(isOpen);

  /** True if a leaf waits, through any number of others, for one that waits for nothing. */
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
    /** True if a leaf waits for nothing: neither blockers nor, if it is a verify node, work that it verifies. */
    isReady: (id: string) => !isBlocked(id) && (openWorkOf(id).length === 0 || !canProgress(id)),
  };
}
