import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { PagedCounts } from "./paged-counts.ts";
import { blockersOfRow, type SpecColumns, toBlockerColumns, toRows } from "./spec-columns.ts";
import { rootId } from "./spec-document.ts";
import { countedTypes, none, type SpecNode, textsOf, toNode, typeOf } from "./spec-node.ts";

/** The edited nodes that replace nodes of a tree. */
type Overlay = { get(id: string): UnknownRecord | undefined };

/** A depth-first traversal of all nodes below the root. The root has position 0. */
export interface Traversal {
  /** The ids of all nodes below the root. The first id has position 1. */
  readonly order: readonly string[];
  readonly positions: Pick<ReadonlyMap<string, number>, "get">;
  /** The position of the parent of each node; -1 for the root. */
  readonly parents: Int32Array;
  /** The value 1 for each leaf that counts towards progress, else 0. */
  readonly counted: Uint8Array;
  /** The number of counted leaves at or below each node. */
  readonly totals: Uint32Array;
}

/** The leaves of a tree that count as work, by position. The scopes of verify nodes are derived from these values. */
export interface WorkIndex {
  /** The value 1 for each leaf that counts towards progress and is not a verify node, else 0. */
  readonly work: Uint8Array;
  /** The number of leaves marked in `work` at or below each node. */
  readonly totals: Uint32Array;
  /**
   * The position of the nearest ancestor with work at or below it, for each node; -1 if there is no such
   * ancestor.
   */
  readonly scopes: Int32Array;
  /** The position of the last node at or below each node. */
  readonly ends: Int32Array;
}

/**
 * The nodes of a hierarchy and their order. These values are computed on demand, and all specs with the same
 * nodes share them.
 */
export class SpecTree {
  readonly #hierarchy: UnknownRecord;
  readonly #nodes: Map<string, SpecNode>;
  #traversal: Traversal | undefined;
  #workIndex: WorkIndex | undefined;
  #ids: readonly string[] | undefined;
  #hasPriorities: boolean | undefined;
  /** The columns that an earlier program has computed from the same hierarchy. */
  readonly #columns: SpecColumns | undefined;
  #rows: ReadonlyMap<string, number> | undefined;

  constructor(
    hierarchy: UnknownRecord,
    nodes = new Map<string, SpecNode>(),
    traversal?: Traversal,
    workIndex?: WorkIndex,
    columns?: SpecColumns,
  ) {
    this.#hierarchy = hierarchy;
    this.#nodes = nodes;
    this.#traversal = traversal;
    this.#workIndex = workIndex;
    this.#columns = columns;
    this.#hasPriorities = columns?.hasPriorities;
  }

  get ids(): readonly string[] {
    this.#ids ??= this.#columns?.ids ?? Object.keys(this.#hierarchy);
    return this.#ids;
  }

  /**
   * True if any node has a priority. Without priorities, the first ready task is the next task, and the
   * search stops at this task.
   */
  get hasPriorities(): boolean {
    this.#hasPriorities ??= Object.values(this.#hierarchy).some(hasPriority);
    return this.#hasPriorities;
  }

  get traversal(): Traversal {
    this.#traversal ??= this.#columns === undefined ? this.#traverse() : this.#traversalOf(this.#columns);
    return this.#traversal;
  }

  get workIndex(): WorkIndex {
    this.#workIndex ??= this.#indexWork();
    return this.#workIndex;
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

  /** Returns a node of this tree with an edited value. */
  read(id: string, raw: UnknownRecord): SpecNode {
    const known = this.#nodes.get(id);
    const isSame = known !== undefined && known.raw["children"] === raw["children"];
    return toNode(id, raw, isSame ? known.children : unique(this.#existing(id, raw["children"])));
  }

  /**
   * Returns the ids of the nodes that a node waits for, without building nodes. `edited` replaces some nodes.
   */
  blockersOf(id: string, edited: Overlay): readonly string[] {
    const changed = edited.get(id);
    const row = this.#columns === undefined || changed !== undefined ? undefined : this.#rowOf.get(id);
    if (row !== undefined) return blockersOfRow(this.#columns as SpecColumns, row);
    return blockersIn(changed ?? this.#rawOf(id));
  }

  /**
   * Counts, for each position, the completed leaves at or below the position that `leaves` marks with 1.
   * `edited` replaces some nodes.
   */
  count(edited: Overlay, leaves: Uint8Array): PagedCounts {
    const { order, parents } = this.traversal;
    const counts = new Uint32Array(order.length + 1);
    for (let position = 1; position < counts.length; position++) {
      if (leaves[position] === 0) continue;
      const id = order[position - 1] as string;
      if (this.#isCompleted(id, position, edited)) counts[position] = 1;
    }
    return PagedCounts.from(sumUpwards(counts, parents));
  }

  #isCompleted(id: string, position: number, edited: Overlay): boolean {
    const raw = edited.get(id);
    if (raw === undefined && this.#columns !== undefined)
      return this.#columns.counted[position] === 1 && this.#columns.completed[position] === 1;
    return (raw ?? (this.#hierarchy[id] as UnknownRecord))["status"] === "completed";
  }

  /**
   * Returns the columns of this tree with some nodes replaced. `completed` is the number of completed leaves at or
   * below each position.
   */
  columnsWith(edited: ReadonlyMap<string, UnknownRecord>, completed: Uint32Array): SpecColumns {
    const { order, parents, counted, totals, positions } = this.traversal;
    const { ids } = this;
    const rows = this.#rowOf;
    const known = this.#columns;
    const isLinked = [...edited].some(
      ([id, raw]) => !isSameList(blockersIn(raw), this.blockersOf(id, new Map())),
    );
    const { blockerStarts, blockers, strangers } =
      known === undefined || isLinked
        ? toBlockerColumns(ids, rows, (id) => this.blockersOf(id, edited))
        : known;
    return {
      ...{ ids, parents, counted, totals, completed, blockerStarts, blockers, strangers },
      order: known?.order ?? Uint32Array.from(order, (id) => rows.get(id) as number),
      places: known?.places ?? Int32Array.from(ids, (id) => positions.get(id) ?? -1),
      work: known?.work ?? this.workIndex.work,
      hasPriorities: this.hasPriorities || [...edited.values()].some(hasPriority),
    };
  }

  /** Returns the hierarchy with some nodes replaced. */
  hierarchyWith(edited: ReadonlyMap<string, UnknownRecord>): UnknownRecord {
    const hierarchy: Record<string, unknown> = { ...this.#hierarchy };
    // Plain assignment to `__proto__` would set the prototype.
    for (const [id, value] of edited)
      Object.defineProperty(hierarchy, id, { value, writable: true, enumerable: true, configurable: true });
    return hierarchy;
  }

  /** Returns the tree with some nodes replaced. The types and children of these nodes must be unchanged. */
  with(edited: ReadonlyMap<string, UnknownRecord>): SpecTree {
    const nodes = new Map(this.#nodes);
    for (const id of edited.keys()) nodes.delete(id);
    return new SpecTree(this.hierarchyWith(edited), nodes, this.traversal, this.#workIndex);
  }

  #rawOf(id: string): unknown {
    return this.#has(id) ? this.#hierarchy[id] : undefined;
  }

  #has(id: string): boolean {
    return this.#columns === undefined ? Object.hasOwn(this.#hierarchy, id) : this.#rowOf.has(id);
  }

  get #rowOf(): ReadonlyMap<string, number> {
    this.#rows ??= toRows(this.ids);
    return this.#rows;
  }

  #traversalOf({ ids, order, places, parents, counted, totals }: SpecColumns): Traversal {
    const rows = this.#rowOf;
    const positionOf = (id: string) => {
      const place = id === rootId ? 0 : places[rows.get(id) ?? -1];
      return place === -1 ? undefined : place;
    };
    let names: readonly string[] | undefined;
    return {
      // The list is created on demand, because a command that reads few nodes does not need all ids.
      get order() {
        names ??= Array.from(order, (row) => ids[row] as string);
        return names;
      },
      positions: { get: positionOf },
      ...{ parents, counted, totals },
    };
  }

  /**
   * Returns the children of an id without building its node. A spec may have many nodes, and building all of
   * them takes time.
   */
  #childIds(id: string, raw: unknown): readonly string[] {
    return this.#nodes.get(id)?.children ?? (isRecord(raw) ? this.#existing(id, raw["children"]) : none);
  }

  #existing(id: string, children: unknown): readonly string[] {
    if (!Array.isArray(children) || children.length === 0) return none;
    return children.filter((child) => typeof child === "string" && child !== id && this.#has(child));
  }

  #indexWork(): WorkIndex {
    const { parents } = this.traversal;
    const work = this.#columns?.work ?? this.#findWork();
    const totals = sumUpwards(Uint32Array.from(work), parents);
    const scopes = new Int32Array(parents.length).fill(-1);
    const ends = new Int32Array(parents.length);
    for (let position = 1; position < scopes.length; position++) {
      ends[position] = position;
      const parent = parents[position] as number;
      scopes[position] = totals[parent] === 0 ? (scopes[parent] as number) : parent;
    }
    for (let position = ends.length - 1; position > 0; position--) {
      const parent = parents[position] as number;
      ends[parent] = Math.max(ends[parent] as number, ends[position] as number);
    }
    return { work, totals, scopes, ends };
  }

  #findWork(): Uint8Array {
    const { order, counted } = this.traversal;
    const work = new Uint8Array(counted.length);
    for (let position = 1; position < work.length; position++) {
      if (counted[position] === 0) continue;
      const raw = this.#hierarchy[order[position - 1] as string] as UnknownRecord;
      if (typeOf(raw["type"]) !== "verify") work[position] = 1;
    }
    return work;
  }

  /**
   * Traverses the nodes without recursion and visits each node only once, because nodes may nest deeply and
   * form cycles.
   */
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

function blockersIn(raw: unknown): readonly string[] {
  const links = isRecord(raw) ? raw["dependencies"] : undefined;
  return isRecord(links) ? textsOf(links["blocked_by"]) : none;
}

function isSameList(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((each, index) => each === other[index]);
}

function unique(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

/**
 * Adds the count of each node to the counts of its ancestors. The positions are visited in reverse order, in
 * which every node comes after its descendants.
 */
function sumUpwards(counts: Uint32Array, parents: Int32Array): Uint32Array {
  for (let position = counts.length - 1; position > 0; position--) {
    const parent = parents[position] as number;
    counts[parent] = (counts[parent] as number) + (counts[position] as number);
  }
  return counts;
}
