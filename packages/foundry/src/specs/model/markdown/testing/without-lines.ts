import type { Draft, DraftNode } from "../draft.ts";

/** Removes the line numbers from a draft. */
export function withoutLines(draft: Draft): Draft {
  const strip = (node: DraftNode): DraftNode => ({ ...node, line: 0, children: node.children.map(strip) });
  return { ...draft, nodes: draft.nodes.map(strip) };
}
