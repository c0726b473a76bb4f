import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { rootId } from "./spec-document.ts";
import { countedTypes, none, type SpecNode, toNode, typeOf } from "./spec-node.ts";

/** A depth-first traversal of all nodes below the root. Position 0 is the root. */
export interface Traversal {
  /** The ids without the root: the first one is at position 1. */
  readonly order: readonly string[];
  readonly positions: ReadonlyMap<string, number>;
  /** The position of each node's parent; -1 for the root. */
  readonly parents: Int32Array;
  /** 1 for a leaf that counts towards progress. */
  readonly counted: Uint8Array;
  /** The number of such leaves at or below each node. */
  readonly totals: Uint32Array;
}

/** The nodes of a hierarchy and their order, computed on demand and shared by all specs that have them. */
export class SpecTree {
  readonly #hierarchy: UnknownRecord;
  readonly #nodes: Map<string, SpecNode>;
  #traversal: Traversal | undefined;
  #ids: readonly string[] | undefined;
  #hasPriorities: boolean | undefined;

  constructor(hierarchy: UnknownRecord, nodes = new Map<string, SpecNode>(), traversal?: Traversal) {
    this.#hierarchy = hierarchy;
    this.#nodes = nodes;
    this.#traversal = traversal;
  }

  get ids(): readonly string[] {
    this.#ids ??= Object.keys(this.#hierarchy);
    return this.#ids;
  }

  /** True if any node has a priority: without one, the first ready task is the next, and no other is looked at. */
  get hasPriorities(): boolean {
    this.#hasPriorities ??= Object.values(this.#hierarchy).some(hasPriority);
    return this.#hasPriorities;
  }

  get traversal(): Traversal {
    this.#traversal ??= this.#traverse();
    return this.#traversal;
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

  /** Reads a node of this tree in an edited state. */
  read(id: string, raw: UnknownRecord): SpecNode {
    const known = this.#nodes.get(id);
    const isSame = known !== undefined && known.raw["children"] === raw["children"];
    return toNode(id, raw, isSame ? known.children : unique(this.#existing(id, raw["children"])));
  }

  /** Counts the completed leaves at or below each position, with some nodes in an edited state. */
  count(edited: ReadonlyMap<string, UnknownRecord>): Uint32Array {
    const { order, counted, parents } = this.traversal;
    const counts = new Uint32Array(order.length + 1);
    for (let position = 1; position < counts.length; position++) {
      if (counted[position] === 0) continue;
      const id = order[position - 1] as string;
      const raw = edited.get(id) ?? (this.#hierarchy[id] as UnknownRecord);
      if (raw["status"] === "completed") counts[position] = 1;
    }
    return sumUpwards(counts, parents);
  }

  /** Returns the hierarchy with some nodes replaced. */
  hierarchyWith(edited: ReadonlyMap<string, UnknownRecord>): UnknownRecord {
    const hierarchy: Record<string, unknown> = { ...this.#hierarchy };
    // Plain assignment to `__proto__` would set the prototype.
    for (const [id, value] of edited)
      Object.defineProperty(hierarchy, id, { value, writable: true, enumerable: true, configurable: true });
    return hierarchy;
  }

  /** Returns the tree with some nodes replaced; their types and children must be unchanged. */
  with(edited: ReadonlyMap<string, UnknownRecord>): SpecTree {
    const nodes = new Map(this.#nodes);
    for (const id of edited.keys()) nodes.delete(id);
    return new SpecTree(this.hierarchyWith(edited), nodes, this.traversal);
  }

  #rawOf(id: string): unknown {
    return Object.hasOwn(this.#hierarchy, id) ? this.#hierarchy[id] : undefined;
  }

  /** Returns the children of an id without building its node, because specs may be long. */
  #childIds(id: string, raw: unknown): readonly string[] {
    return this.#nodes.get(id)?.children ?? (isRecord(raw) ? this.#existing(id, raw["children"]) : none);
  }

  #existing(id: string, children: unknown): readonly string[] {
    if (!Array.isArray(children) || children.length === 0) return none;
    return children.filter(
      (child) => typeof child === "string" && child !== id && Object.hasOwn(this.#hierarchy, child),
    );
  }

  /** Iterative, and each node once: files may nest deeply and in cycles. */
  #traverse(): Traversal {
    const order: string[] = [];
    const positions = new Map<string, number>([[rootId, 0]]);
    const parents = [-1];
    const leaves = [0];
    const stack: string[] = [];
    const stackParents: number[] = [];
    const push = (id: string, position: number): number => {
      const raw = this.#rawOf(id);
      const children = this.#childIds(id, raw);
      for (let index = children.length - 1; index >= 0; index--) {
        stack.push(children[index] as string);
        stackParents.push(position);
      }
      return children.length === 0 && isRecord(raw) && countedTypes.has(typeOf(raw["type"])) ? 1 : 0;
    };
    push(rootId, 0);
    for (let id = stack.pop(); id !== undefined; id = stack.pop()) {
      const parent = stackParents.pop() as number;
      if (positions.has(id)) continue;
      order.push(id);
      const position = order.length;
      positions.set(id, position);
      parents.push(parent);
      leaves.push(push(id, position));
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

/** True for a stored node with a priority. */
export function hasPriority(raw: unknown): boolean {
  return isRecord(raw) && isRecord(raw["metadata"]) && typeof raw["metadata"]["priority"] === "string";
}

function unique(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

/** In reverse order every node comes after its descendants. */
function sumUpwards(counts: Uint32Array, parents: Int32Array): Uint32Array {
  for (let position = counts.length - 1; position > 0; position--) {
    const parent = parents[position] as number;
    counts[parent] = (counts[parent] as number) + (counts[position] as number);
  }
  return counts;
}
