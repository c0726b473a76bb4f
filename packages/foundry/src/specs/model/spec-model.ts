import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../files/json-text/edit.ts";
import { rootId, type SpecDocument } from "./spec-document.ts";
import { countedTypes, type SpecNode } from "./spec-node.ts";
import { hasPriority, SpecTree } from "./spec-tree.ts";

export type { SpecNode };

/**
 * The number of tasks at or below a node, and how many are completed. Leaves of type task, subtask and verify
 * count.
 */
export interface Tally {
  readonly total: number;
  readonly completed: number;
}

/** Progress as responses report it. */
export interface Progress extends Tally {
  /** A whole number, which is 100 only if everything is completed. */
  readonly percentage: number;
}

/** Returns the progress of a tally; without tasks it is 0 %. */
export function progressOf({ total, completed }: Tally): Progress {
  return { completed, total, percentage: total === 0 ? 0 : Math.floor((completed * 100) / total) };
}

/** The maximum number of edited nodes before a new tree is built: each change copies their list. */
const maxEdited = 256;

/** The state that a spec shares with the one before a change. */
interface SharedState {
  readonly tree: SpecTree;
  readonly edited: ReadonlyMap<string, UnknownRecord>;
  readonly completed: Uint32Array | undefined;
}

/**
 * A read-only view of a spec: its nodes, their order, and their progress. Any parsed file can be read, even a
 * broken one. Each part is computed on first use and cached. A change shares all unchanged parts with the
 * spec before it, so that changing one node does not visit all of them.
 */
export class SpecModel {
  /** The members of the document. Its hierarchy may be partial after a change: read nodes with `node`. */
  readonly fields: SpecDocument;
  readonly #tree: SpecTree;
  /** Nodes that differ from those of the tree. */
  readonly #edited: ReadonlyMap<string, UnknownRecord>;
  readonly #nodes = new Map<string, SpecNode>();
  #document: SpecDocument | undefined;
  #journal: readonly UnknownRecord[] | undefined;
  #completed: Uint32Array | undefined;

  constructor(document: SpecDocument, shared?: SharedState) {
    const { hierarchy } = document;
    this.fields = document;
    this.#document = shared === undefined ? document : undefined;
    this.#tree = shared?.tree ?? new SpecTree(isRecord(hierarchy) ? hierarchy : {});
    this.#edited = shared?.edited ?? new Map();
    this.#completed = shared?.completed;
  }

  /** The whole document; after a change it is assembled on first use. */
  get document(): SpecDocument {
    this.#document ??= { ...this.fields, hierarchy: this.#tree.hierarchyWith(this.#edited) };
    return this.#document;
  }

  get id(): string {
    const { spec_id: id } = this.fields;
    return typeof id === "string" ? id : "";
  }

  get title(): string {
    const { title } = this.fields;
    const texts = [title, this.metadata["title"], this.node(rootId)?.title, this.id];
    return texts.find((each): each is string => typeof each === "string" && each !== "") ?? "";
  }

  get metadata(): UnknownRecord {
    const { metadata } = this.fields;
    return isRecord(metadata) ? metadata : {};
  }

  get journal(): readonly UnknownRecord[] {
    const { journal } = this.fields;
    this.#journal ??= Array.isArray(journal) ? journal.filter(isRecord) : [];
    return this.#journal;
  }

  /** The ids of all nodes, in the order of the file. */
  get ids(): readonly string[] {
    return this.#tree.ids;
  }

  /** Returns the node of an id; undefined if there is none. */
  node(id: string): SpecNode | undefined {
    const raw = this.#edited.get(id);
    if (raw === undefined) return this.#tree.node(id);
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const node = this.#tree.read(id, raw);
    this.#nodes.set(id, node);
    return node;
  }

  /** Returns the children of a node in the order of work. */
  childrenOf(id: string): readonly SpecNode[] {
    return this.#nodesOf(this.node(id)?.children ?? []);
  }

  /** Returns a node and its ancestors, nearest first. */
  ancestry(id: string): readonly SpecNode[] {
    const line: SpecNode[] = [];
    const seen = new Set<string>();
    for (let node = this.node(id); node !== undefined && !seen.has(node.id); ) {
      seen.add(node.id);
      line.push(node);
      node = node.parent === null ? undefined : this.node(node.parent);
    }
    return line;
  }

  /**
   * All ids below the root in the order of work: depth first, parents before children. Specs with the same
   * types and children share the list, so results can be cached by it.
   */
  get order(): readonly string[] {
    return this.#tree.traversal.order;
  }

  /** The nodes below the root in the order of work. */
  get orderedNodes(): readonly SpecNode[] {
    return this.#nodesOf(this.order);
  }

  /** The ids of a node and all its descendants, parents before children. */
  subtree(id: string): ReadonlySet<string> {
    const ids = new Set<string>([id]);
    // In a broken file a node may be its own descendant.
    const above = new Set(this.ancestry(id).map((node) => node.id));
    // A set iterates in insertion order and includes entries that are added meanwhile.
    for (const each of ids)
      for (const child of this.node(each)?.children ?? []) if (!above.has(child)) ids.add(child);
    return ids;
  }

  /** Returns the index of an id in the order; -1 for the root and for nodes that are not below it. */
  positionOf(id: string): number {
    return (this.#tree.traversal.positions.get(id) ?? 0) - 1;
  }

  /** Returns the number of tasks at or below a node, and how many are completed. */
  tally(id: string): Tally {
    const { positions, totals } = this.#tree.traversal;
    const position = positions.get(id);
    if (position === undefined) return { total: 0, completed: 0 };
    this.#completed ??= this.#tree.count(this.#edited);
    return { total: totals[position] as number, completed: this.#completed[position] as number };
  }

  /** True if any node has a priority. */
  get hasPriorities(): boolean {
    return this.#tree.hasPriorities || [...this.#edited.values()].some(hasPriority);
  }

  /** True for a node without children. */
  isLeaf(node: SpecNode): boolean {
    return node.children.length === 0;
  }

  /** True for a leaf that counts towards progress. */
  isCounted(node: SpecNode): boolean {
    return this.isLeaf(node) && countedTypes.has(node.type);
  }

  /** Returns the spec after edits. */
  after(edits: readonly Edit[]): SpecModel {
    if (edits.length === 0) return this;
    const inNodes = edits.filter(({ path }) => path[0] === "hierarchy");
    if (!isRecord(this.fields["hierarchy"]) || !inNodes.every((edit) => this.#keepsOrder(edit)))
      return new SpecModel(applyEdits(this.document, edits));
    const ids = new Set(inNodes.map(({ path }) => path[1] as string));
    const before = Object.fromEntries([...ids].map((id) => [id, this.node(id)?.raw]));
    const fields = applyEdits<SpecDocument>({ ...this.fields, hierarchy: before }, edits);
    const changed = new Map(Object.entries(fields["hierarchy"] as Readonly<Record<string, UnknownRecord>>));
    const edited = new Map([...this.#edited, ...changed]);
    const completed = this.#completed && this.#updateCounts(this.#completed, changed);
    return edited.size <= maxEdited
      ? new SpecModel(fields, { tree: this.#tree, edited, completed })
      : new SpecModel(fields, { tree: this.#tree.with(edited), edited: new Map(), completed });
  }

  #nodesOf(ids: readonly string[]): readonly SpecNode[] {
    return ids.map((id) => this.node(id)).filter((node) => node !== undefined);
  }

  /** True for an edit inside an existing node that keeps its type and children. */
  #keepsOrder({ path }: Edit): boolean {
    const [, id, member] = path;
    return (
      member !== undefined &&
      member !== "children" &&
      member !== "type" &&
      typeof id === "string" &&
      this.node(id) !== undefined
    );
  }

  /** Updates the completed counts of changed leaves and their ancestors. */
  #updateCounts(before: Uint32Array, changed: ReadonlyMap<string, UnknownRecord>): Uint32Array {
    const { positions, parents, counted } = this.#tree.traversal;
    let counts = before;
    for (const [id, { status }] of changed) {
      const position = positions.get(id);
      if (position === undefined || counted[position] === 0) continue;
      const step = (status === "completed" ? 1 : 0) - (before[position] as number);
      if (step === 0) continue;
      if (counts === before) counts = before.slice();
      for (let at = position; at !== -1; at = parents[at] as number)
        counts[at] = (counts[at] as number) + step;
    }
    return counts;
  }
}
