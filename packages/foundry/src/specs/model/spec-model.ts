import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../files/json-text/edit.ts";
import { type NodeType, rootId, type SpecDocument } from "./spec-document.ts";
import type { SpecNode } from "./spec-node.ts";
import { SpecTree } from "./spec-tree.ts";

export type { SpecNode };

/** How much of a part of a spec is done: its leaves of type task, subtask and verify. */
export interface Tally {
  readonly total: number;
  readonly completed: number;
}

const counted: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify"]);

/** So many nodes may differ from those of the tree before a new one is made: each change copies their list. */
const maxEdited = 256;

/** What a spec takes over from the one before it. */
interface SharedState {
  readonly tree: SpecTree;
  readonly edited: ReadonlyMap<string, UnknownRecord>;
  readonly completed: Uint32Array | undefined;
}

/**
 * A spec as the rules see it: nodes, their order, what is done. Made of any parsed file, also of a broken
 * one; each part is worked out when it is first asked for, and then kept. What a change leaves as it was is
 * shared with the spec before it, so that a change of one node costs no walk through all of them.
 */
export class SpecModel {
  /** The members of the document. What stands there as the hierarchy may be a part of it: nodes tell. */
  readonly fields: SpecDocument;
  readonly #tree: SpecTree;
  /** Nodes that are not as the tree has them. */
  readonly #edited: ReadonlyMap<string, UnknownRecord>;
  readonly #nodes = new Map<string, SpecNode>();
  #document: SpecDocument | undefined;
  #journal: readonly UnknownRecord[] | undefined;
  #completed: Uint32Array | undefined;

  constructor(document: SpecDocument, heritage?: SharedState) {
    const { hierarchy } = document;
    this.fields = document;
    this.#document = heritage === undefined ? document : undefined;
    this.#tree = heritage?.tree ?? new SpecTree(isRecord(hierarchy) ? hierarchy : {});
    this.#edited = heritage?.edited ?? new Map();
    this.#completed = heritage?.completed;
  }

  /** The whole; after a change it is put together when it is first asked for. */
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

  /** The ids of all nodes, as the file has them. */
  get ids(): readonly string[] {
    return this.#tree.ids;
  }

  /** The node of an id; undefined where there is none. */
  node(id: string): SpecNode | undefined {
    const raw = this.#edited.get(id);
    if (raw === undefined) return this.#tree.node(id);
    const known = this.#nodes.get(id);
    if (known !== undefined) return known;
    const node = this.#tree.read(id, raw);
    this.#nodes.set(id, node);
    return node;
  }

  /** The children of a node, in the order of work. */
  childrenOf(id: string): readonly SpecNode[] {
    return this.#nodesOf(this.node(id)?.children ?? []);
  }

  /** The node and everything above it, nearest first. */
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
   * All ids below the root in the order of work, depth first, parents before children. The same list for
   * specs that differ in neither types nor children: what follows from it can be kept by it.
   */
  get order(): readonly string[] {
    return this.#tree.traversal.order;
  }

  /** The place of an id in the order; -1 for the root and for what does not hang on it. */
  positionOf(id: string): number {
    return (this.#tree.traversal.positions.get(id) ?? 0) - 1;
  }

  /** How much of a node is done. */
  tally(id: string): Tally {
    const { positions, totals } = this.#tree.traversal;
    const place = positions.get(id);
    if (place === undefined) return { total: 0, completed: 0 };
    this.#completed ??= this.#tree.count(this.#edited);
    return { total: totals[place] as number, completed: this.#completed[place] as number };
  }

  /** True for a node that is work itself: nothing below it. */
  isLeaf(node: SpecNode): boolean {
    return node.children.length === 0;
  }

  /** True for work that counts towards progress. */
  isCounted(node: SpecNode): boolean {
    return this.isLeaf(node) && counted.has(node.type);
  }

  /** The spec as edits leave it. */
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
    const completed = this.#completed && this.#countAgain(this.#completed, changed);
    return edited.size <= maxEdited
      ? new SpecModel(fields, { tree: this.#tree, edited, completed })
      : new SpecModel(fields, { tree: this.#tree.with(edited), edited: new Map(), completed });
  }

  #nodesOf(ids: readonly string[]): readonly SpecNode[] {
    return ids.map((id) => this.node(id)).filter((node) => node !== undefined);
  }

  /** True for an edit within a node that is there, and that leaves it its type and its children. */
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

  /** What is done after some nodes have changed: with each leaf the counts on its way up. */
  #countAgain(before: Uint32Array, changed: ReadonlyMap<string, UnknownRecord>): Uint32Array {
    const { positions, parents, counted: isWork } = this.#tree.traversal;
    let counts = before;
    for (const [id, { status }] of changed) {
      const place = positions.get(id);
      if (place === undefined || isWork[place] === 0) continue;
      const step = (status === "completed" ? 1 : 0) - (before[place] as number);
      if (step === 0) continue;
      if (counts === before) counts = before.slice();
      for (let at = place; at !== -1; at = parents[at] as number) counts[at] = (counts[at] as number) + step;
    }
    return counts;
  }
}
