import type { Canvas } from "../define/action.ts";
import { glyphsOf } from "./glyphs.ts";
import { type Line, type Span, styled } from "./line.ts";

/** A node of a tree; nodes are listed in the order of display. */
export interface TreeNode {
  readonly depth: number;
  readonly text: readonly Span[];
}

/** Returns a tree with its branches drawn; the first node is the root, or the first of several roots. */
export function tree(nodes: readonly TreeNode[], canvas: Canvas): readonly Line[] {
  const { branch, lastBranch, trunk } = glyphsOf(canvas);
  const depths = toDepths(nodes);
  const isLast = lastSiblings(depths);
  // The number of drawn branches is limited, because the branches of a deep tree would leave no room for the
  // text.
  const most = Math.max(1, Math.floor((canvas.width ?? 120) / 3 / trunk.length));
  const open: boolean[] = [];
  return nodes.map(({ text }, at) => {
    const depth = depths[at] ?? 0;
    const isEnd = isLast[at] ?? true;
    open.length = depth;
    const above = open.slice(1).map((isOpen) => (isOpen ? trunk : "   "));
    const hasChildren = (depths[at + 1] ?? 0) > depth;
    const below = depth === 0 ? "" : isEnd ? "   " : trunk;
    open[depth] = !isEnd;
    const own = depth === 0 ? "" : isEnd ? lastBranch : branch;
    const cut = (parts: readonly string[]) => parts.slice(-most).join("");
    return {
      lead: [styled("dim", cut([...above, own]))],
      text,
      hang: [styled("dim", cut([...above, below, hasChildren ? trunk : "   "]))],
    };
  });
}

/**
 * Normalizes depths so that they start at 0 and increase by at most one level, because a page of a tree may begin
 * anywhere in the tree.
 */
function toDepths(nodes: readonly TreeNode[]): readonly number[] {
  const levels: number[] = [];
  return nodes.map(({ depth }) => {
    const own = Number.isFinite(depth) ? depth : 0;
    while (levels.length > 0 && (levels.at(-1) ?? 0) >= own) levels.pop();
    levels.push(own);
    return levels.length - 1;
  });
}

/** Returns for each node whether it is the last of its siblings. */
function lastSiblings(depths: readonly number[]): readonly boolean[] {
  const followed = new Set<number>();
  const result: boolean[] = [];
  for (let at = depths.length - 1; at >= 0; at--) {
    const depth = depths[at] ?? 0;
    result[at] = !followed.has(depth);
    followed.add(depth);
    for (const other of followed) if (other > depth) followed.delete(other);
  }
  return result;
}
