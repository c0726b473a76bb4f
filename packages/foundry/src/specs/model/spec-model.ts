import { isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { applyEdits, type Edit } from "../../files/json-text/edit.ts";
import { EditedNodes } from "./edited-nodes.ts";
import { PagedCounts } from "./paged-counts.ts";
import type { SpecColumns } from "./spec-columns.ts";
import { rootId, type SpecDocument } from "./spec-document.ts";
import { countedTypes, type SpecNode } from "./spec-node.ts";
import { SpecTree } from "./spec-tree.ts";

export type { SpecNode };

/**
 * The number of tasks at or below a node, and the number of completed tasks among them. Leaves of the types
 * task, subtask and verify are counted.
 */
export interface Tally {
  readonly total: number;
  readonly completed: number;
}

/** Progress in the form that responses use. */
export interface Progress extends Tally {
  /** The percentage as a whole number. The value is 100 only if all tasks are completed. */
  readonly percentage: number;
}

/** Returns the progress of a tally. The progress of a spec without tasks is 0 %. */
export function progressOf({ total, completed }: Tally): Progress {
  return { completed, total, percentage: total === 0 ? 0 : Math.floor((completed * 100) / total) };
}

/** Matches a title that was derived from an id. */
const slug = /^[a-z0-9]+(?:[-_][a-z0-9]+)+$/;

/** The number of edited nodes up to which no new tree is built, whatever the size of the spec. */
const minEdited = 256;

/** The state that a changed spec takes over from the spec before the change. */
interface SharedState {
  readonly tree: SpecTree;
  readonly edited: EditedNodes;
  readonly completed: PagedCounts | undefined;
  readonly completedWork: PagedCounts | undefined;
  /** The dependencies; undefined if the change may have changed dependencies. */
  readonly links: Links | undefined;
  /** True if the document contains all nodes. */
  readonly isWhole?: true;
}

/** Computed dependencies. All specs with the same dependencies share this object. */
interface Links {
  dependents?: ReadonlyMap<string, readonly string[]>;
}

/**
 * A read-only view of a spec: its nodes, their order, and their progress. Any parsed file can be read, even a
 * broken file. Each part is computed on first use and cached. After a change, the new spec shares all
 * unchanged parts with the old spec, so that the change of one node does not visit all nodes.
 */
export class SpecModel {
  /**
   * The members of the document. After a change, the member `hierarchy` may be incomplete, so nodes must be
   * read with `node`.
   */
  readonly fields: SpecDocument;
  readonly #tree: SpecTree;
  /** The nodes that differ from the nodes of the tree. */
  readonly #edited: EditedNodes;
  readonly #nodes = new Map<string, SpecNode>();
  readonly #name: string | undefined;
  #document: SpecDocument | undefined;
  #journal: readonly UnknownRecord[] | undefined;
  readonly #links: Links;
  #completed: PagedCounts | undefined;
  #completedWork: PagedCounts | undefined;
  #nextOpenWork: Int32Array | undefined;

  /** `name` is the id by which a store knows the spec; without a name, the id is the field `spec_id`. */
  constructor(document: SpecDocument, shared?: SharedState, name?: string) {
    const { hierarchy } = document;
    this.fields = document;
    this.#name = name;
    this.#document = shared === undefined || shared.isWhole ? document : undefined;
    this.#tree = shared?.tree ?? new SpecTree(isRecord(hierarchy) ? hierarchy : {});
    this.#edited = shared?.edited ?? EditedNodes.none;
    this.#completed = shared?.completed;
    this.#completedWork = shared?.completedWork;
    this.#links = shared?.links ?? {};
  }

  /** Returns the model of a document whose columns are known. The nodes of the document may be parsed on access. */
  static withColumns(document: SpecDocument, columns: SpecColumns, name?: string): SpecModel {
    const { hierarchy } = document;
    const tree = new SpecTree(isRecord(hierarchy) ? hierarchy : {}, undefined, undefined, undefined, columns);
    const completed = PagedCounts.from(columns.completed);
    const nothing = { completedWork: undefined, links: undefined };
    const shared = { tree, edited: EditedNodes.none, completed, isWhole: true, ...nothing } as const;
    return new SpecModel(document, shared, name);
  }

  /** The facts about the nodes that another program can start from. */
  get columns(): SpecColumns {
    return this.#tree.columnsWith(this.#edited.toMap(), this.#completedCounts.toArray());
  }

  /** The whole document. After a change, the document is assembled on first use. */
  get document(): SpecDocument {
    this.#document ??= { ...this.fields, hierarchy: this.#tree.hierarchyWith(this.#edited.toMap()) };
    return this.#document;
  }

  /**
   * The id of the spec. The name of a file counts more than the field `spec_id` in the file: calls find the spec by
   * that name, and the field may hold the id of another spec.
   */
  get id(): string {
    if (this.#name !== undefined) return this.#name;
    const { spec_id: id } = this.fields;
    return typeof id === "string" ? id : "";
  }

  /**
   * The title that a person wrote. In older files, one of the fields that store the title repeats the id, so
   * such a value is used last.
   */
  get title(): string {
    const { title } = this.fields;
    const texts = [title, this.metadata["title"], this.node(rootId)?.title, this.id];
    const given = texts.filter((each): each is string => typeof each === "string" && each !== "");
    return given.find((each) => !slug.test(each)) ?? given[0] ?? "";
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

  /** Returns the node with an id; undefined if there is no such node. */
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

  /**
   * The phases and groups directly below the root, in the order of work. Tasks directly below the root are
   * not included.
   */
  get phases(): readonly SpecNode[] {
    return this.childrenOf(rootId).filter(({ type }) => type === "phase" || type === "group");
  }

  /** Returns a node and its ancestors. The node comes first and the root comes last. */
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
   * The ids of all nodes below the root in the order of work: depth first, parents before children. Specs
   * with the same types and children share this list, so the list can be the key of a cache.
   */
  get order(): readonly string[] {
    return this.#tree.traversal.order;
  }

  /** The nodes below the root in the order of work. */
  get orderedNodes(): readonly SpecNode[] {
    return this.#nodesOf(this.order);
  }

  /** Returns the ids of a node and all its descendants; parents come before their children. */
  subtree(id: string): ReadonlySet<string> {
    const ids = new Set<string>([id]);
    // In a broken file, a node may be its own descendant.
    const above = new Set(this.ancestry(id).map((node) => node.id));
    // A set iterates in insertion order and includes entries that are added during the iteration.
    for (const each of ids)
      for (const child of this.node(each)?.children ?? []) if (!above.has(child)) ids.add(child);
    return ids;
  }

  /** Returns the index of an id in `order`; -1 for the root and for nodes that are not below the root. */
  positionOf(id: string): number {
    return (this.#tree.traversal.positions.get(id) ?? 0) - 1;
  }

  /** Returns the index in `order` of the last node at or below a node. */
  endOf(id: string): number {
    const position = this.#tree.traversal.positions.get(id);
    return (position === undefined ? 0 : (this.#tree.workIndex.ends[position] as number)) - 1;
  }

  /** Returns the number of tasks at or below a node, and the number of completed tasks among them. */
  tally(id: string): Tally {
    const { positions, totals } = this.#tree.traversal;
    const position = positions.get(id);
    if (position === undefined) return { total: 0, completed: 0 };
    return { total: totals[position] as number, completed: this.#completedCounts.at(position) };
  }

  get #completedCounts(): PagedCounts {
    this.#completed ??= this.#tree.count(this.#edited, this.#tree.traversal.counted);
    return this.#completed;
  }

  /**
   * The ids of the nodes that wait for a node, by the id of this node. Specs with the same nodes and
   * dependencies share this map, so the map can be the key of a cache.
   */
  get dependents(): ReadonlyMap<string, readonly string[]> {
    this.#links.dependents ??= this.#findDependents();
    return this.#links.dependents;
  }

  /**
   * Returns the nearest ancestor of a node that has work below it. Work consists of the leaves that count
   * towards progress and are not verify nodes.
   */
  scopeOf(id: string): string | undefined {
    const { positions, order } = this.#tree.traversal;
    const position = positions.get(id);
    const scope = position === undefined ? -1 : (this.#tree.workIndex.scopes[position] as number);
    return scope === 0 ? rootId : order[scope - 1];
  }

  /**
   * Returns the number of leaves below a node that are work, and the number of completed leaves among them.
   */
  workTally(id: string): Tally {
    const position = this.#tree.traversal.positions.get(id);
    if (position === undefined) return { total: 0, completed: 0 };
    const total = this.#tree.workIndex.totals[position] as number;
    return { total, completed: this.#workCounts.at(position) };
  }

  /** Yields the open work below a node, in the order of work. */
  *openWorkBelow(id: string): Generator<SpecNode, void> {
    const { positions, order } = this.#tree.traversal;
    const top = positions.get(id);
    if (top === undefined) return;
    this.#nextOpenWork ??= this.#findOpenWork();
    const end = this.#tree.workIndex.ends[top] as number;
    let position = this.#nextOpenWork[top] as number;
    while (position <= end) {
      const node = this.node(order[position - 1] as string);
      if (node !== undefined) yield node;
      position = this.#nextOpenWork[position + 1] as number;
    }
  }

  /** True if `id` is at or below `above` and is a leaf that counts as work. */
  isWorkBelow(id: string, above: string): boolean {
    const { positions } = this.#tree.traversal;
    const [position, top] = [positions.get(id), positions.get(above)];
    if (position === undefined || top === undefined) return false;
    const { work, ends } = this.#tree.workIndex;
    return work[position] === 1 && position >= top && position <= (ends[top] as number);
  }

  /** True if any node has a priority. */
  get hasPriorities(): boolean {
    return this.#tree.hasPriorities || this.#edited.hasPriorities;
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
      return new SpecModel(applyEdits(this.document, edits), undefined, this.#name);
    const ids = new Set(inNodes.map(({ path }) => path[1] as string));
    const before = Object.fromEntries([...ids].map((id) => [id, this.node(id)?.raw]));
    const fields = applyEdits<SpecDocument>({ ...this.fields, hierarchy: before }, edits);
    const changed = new Map(Object.entries(fields["hierarchy"] as Readonly<Record<string, UnknownRecord>>));
    const edited = this.#edited.with(changed);
    const counts = {
      completed:
        this.#completed && this.#updateCounts(this.#completed, changed, this.#tree.traversal.counted),
      completedWork:
        this.#completedWork && this.#updateCounts(this.#completedWork, changed, this.#tree.workIndex.work),
      links: inNodes.some(({ path }) => path[2] === "dependencies" || path[2] === "parent")
        ? undefined
        : this.#links,
    };
    // A new tree costs as much as its nodes, so it is built only after as many edits.
    return edited.size <= Math.max(minEdited, this.ids.length)
      ? new SpecModel(fields, { tree: this.#tree, edited, ...counts }, this.#name)
      : new SpecModel(
          fields,
          { tree: this.#tree.with(edited.toMap()), edited: EditedNodes.none, ...counts },
          this.#name,
        );
  }

  get #workCounts(): PagedCounts {
    this.#completedWork ??= this.#tree.count(this.#edited, this.#tree.workIndex.work);
    return this.#completedWork;
  }

  /**
   * Returns, for each position, the first position at or after it that has open work. If there is none, the
   * value is the number of positions.
   */
  #findOpenWork(): Int32Array {
    const { work } = this.#tree.workIndex;
    const completed = this.#workCounts;
    const next = new Int32Array(work.length + 1).fill(work.length);
    for (let position = work.length - 1; position >= 0; position--)
      next[position] =
        work[position] === 1 && completed.at(position) === 0 ? position : (next[position + 1] as number);
    return next;
  }

  #findDependents(): ReadonlyMap<string, readonly string[]> {
    const dependents = new Map<string, string[]>();
    for (const id of this.ids) {
      for (const blocker of this.#tree.blockersOf(id, this.#edited)) {
        const known = dependents.get(blocker);
        if (known === undefined) dependents.set(blocker, [id]);
        else known.push(id);
      }
    }
    return dependents;
  }

  #nodesOf(ids: readonly string[]): readonly SpecNode[] {
    return ids.map((id) => this.node(id)).filter((node) => node !== undefined);
  }

  /** True for an edit inside an existing node that changes neither its type nor its children. */
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

  /**
   * Updates the completed counts of changed leaves and of their ancestors. `leaves` contains 1 for each
   * counted leaf.
   */
  #updateCounts(
    before: PagedCounts,
    changed: ReadonlyMap<string, UnknownRecord>,
    leaves: Uint8Array,
  ): PagedCounts {
    const { positions, parents } = this.#tree.traversal;
    const steps = new Map<number, number>();
    for (const [id, { status }] of changed) {
      const position = positions.get(id);
      if (position === undefined || leaves[position] === 0) continue;
      const step = (status === "completed" ? 1 : 0) - before.at(position);
      if (step === 0) continue;
      for (let at = position; at !== -1; at = parents[at] as number)
        steps.set(at, (steps.get(at) ?? 0) + step);
    }
    return before.plus(steps);
  }
}
