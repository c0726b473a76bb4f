import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";

/** The deepest that tasks can be nested in a document: each level costs two columns of every line below it. */
export const maxNesting = 500;

/** What hangs on what, each node once: also where a file lists one twice, or in a circle. */
export interface Outline {
  readonly children: ReadonlyMap<string, readonly string[]>;
  readonly parents: ReadonlyMap<string, string>;
  /** Of the deepest node, the root being at 0. */
  readonly depth: number;
}

/** Walks through a spec from its root, without recursion: files may nest deeply. */
export function toOutline(spec: SpecModel): Outline {
  const children = new Map<string, readonly string[]>();
  const parents = new Map<string, string>();
  const depths = new Map<string, number>([[rootId, 0]]);
  let depth = 0;
  // A map keeps the order in which it was filled, also while it is being walked.
  for (const [id, level] of depths) {
    const own = (spec.node(id)?.children ?? []).filter(
      (child) => !depths.has(child) && spec.node(child) !== undefined,
    );
    if (own.length > 0) children.set(id, own);
    for (const child of own) {
      depths.set(child, level + 1);
      parents.set(child, id);
      depth = Math.max(depth, level + 1);
    }
  }
  return { children, parents, depth };
}
