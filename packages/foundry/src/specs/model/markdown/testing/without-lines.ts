import type { Draft, DraftNode } from "../draft.ts";

/** What was read, without where it stood. */
export function withoutLines(draft: Draft): Draft {
  const strip = (node: DraftNode): DraftNode => ({ ...node, line: 0, children: node.children.map(strip) });
  return { ...draft, nodes: draft.nodes.map(strip) };
}
