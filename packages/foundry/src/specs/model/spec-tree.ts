import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { type NodeType, rootId } from "./spec-document.ts";
import { none, type SpecNode, toNode, typeOf } from "./spec-node.ts";

const counted: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify"]);

/** The positions of all nodes that hang on the root, which is at place 0. */
export interface Traversal {
  /** Without the root: the id at place 1 comes first. */
  readonly order: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  /** The place of each one's parent; -1 for the root's. */
  readonly parents: Int32Array;
  /** 1 for a leaf that counts towards progress. */
  readonly counted: Uint8Array;
  /** How many such leaves are below each, itself included. */
  readonly totals: Uint32Array;
}

/** The nodes of a hierarchy and their order, worked out by need and kept for all specs that share them. */
export class SpecTree {
  readonly #hierarchy: UnknownRecord;
  readonly #nodes: Map<string, SpecNode>;
  #walk: Traversal | undefined;
  #ids: readonly string[] | undefined;

  constructor(hierarchy: UnknownRecord, nodes = new Map<string, SpecNode>(), walk?: Traversal) {
    this.#hierarchy = hierarchy;
    this.#nodes = nodes;
    this.#walk = walk;
  }

  get ids(): readonly string[] {
    this.#ids ??= Object.keys(this.#hierarchy);
    return this.#ids;
  }

  get traversal(): Traversal {
    this.#walk ??= this.#walkDown();
    return this.#walk;
  }

  node(id: string): SpecNode | undefined {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const raw = this.#rawOf(id);
    if (!isRecord(raw)) return undefined;
    const node = this.read(id, raw);
    this.#nodes.set(id, node);
    return node;
  }

  /** Reads a node of this tree in another state. */
  read(id: string, raw: UnknownRecord): SpecNode {
    const known = this.#nodes.get(id);
    const isSame = known !== undefined && known.raw["children"] === raw["children"];
    return toNode(id, raw, isSame ? known.children : unique(this.#existing(id, raw["children"])));
  }

  /** How many of the counted leaves below each place are completed, when some nodes are in another state. */
  count(edited: ReadonlyMap<string, UnknownRecord>): Uint32Array {
    const { order, counted, parents } = this.traversal;
    const counts = new Uint32Array(order.length + 1);
    for (let place = 1; place < counts.length; place++) {
      if (counted[place] === 0) continue;
      const id = order[place - 1] as string;
      const raw = edited.get(id) ?? (this.#hierarchy[id] as UnknownRecord);
      if (raw["status"] === "completed") counts[place] = 1;
    }
    return sumUpwards(counts, parents);
  }

  /** The hierarchy with some nodes in another state. */
  hierarchyWith(edited: ReadonlyMap<string, UnknownRecord>): UnknownRecord {
    const hierarchy: Record<string, unknown> = { ...this.#hierarchy };
    // A plain assignment would set the prototype of a member that is called so.
    for (const [id, value] of edited)
      Object.defineProperty(hierarchy, id, { value, writable: true, enumerable: true, configurable: true });
    return hierarchy;
  }

  /** The tree with some nodes in another state, their types and children as before. */
  with(edited: ReadonlyMap<string, UnknownRecord>): SpecTree {
    const nodes = new Map(this.#nodes);
    for (const id of edited.keys()) nodes.delete(id);
    return new SpecTree(this.hierarchyWith(edited), nodes, this.traversal);
  }

  #rawOf(id: string): unknown {
    return Object.hasOwn(this.#hierarchy, id) ? this.#hierarchy[id] : undefined;
  }

  /** The children of an id without its node: a walk needs no more, and specs may be long. */
  #childIds(id: string, raw: unknown): readonly string[] {
    return this.#nodes.get(id)?.children ?? (isRecord(raw) ? this.#existing(id, raw["children"]) : none);
  }

  #existing(id: string, children: unknown): readonly string[] {
    if (!Array.isArray(children) || children.length === 0) return none;
    return children.filter(
      (child) => typeof child === "string" && child !== id && Object.hasOwn(this.#hierarchy, child),
    );
  }

  /** Iterative, and each node once: files may nest deeply and in circles. */
  #walkDown(): Traversal {
    const order: string[] = [];
    const positions = new Map<string, number>([[rootId, 0]]);
    const parents = [-1];
    const leaves = [0];
    const waiting: string[] = [];
    const above: number[] = [];
    const push = (id: string, place: number): number => {
      const raw = this.#rawOf(id);
      const children = this.#childIds(id, raw);
      for (let index = children.length - 1; index >= 0; index--) {
        waiting.push(children[index] as string);
        above.push(place);
      }
      return children.length === 0 && isRecord(raw) && counted.has(typeOf(raw["type"])) ? 1 : 0;
    };
    push(rootId, 0);
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const parent = above.pop() as number;
      if (positions.has(id)) continue;
      order.push(id);
      const place = order.length;
      positions.set(id, place);
      parents.push(parent);
      leaves.push(push(id, place));
    }
    const up = Int32Array.from(parents);
    return {
      order,
      positions,
      parents: up,
      counted: Uint8Array.from(leaves),
      totals: sumUpwards(Uint32Array.from(leaves), up),
    };
  }
}

function unique(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

/** Backwards through the order every node comes after all that is below it. */
function sumUpwards(counts: Uint32Array, parents: Int32Array): Uint32Array {
  for (let place = counts.length - 1; place > 0; place--) {
    const above = parents[place] as number;
    counts[above] = (counts[above] as number) + (counts[place] as number);
  }
  return counts;
}
