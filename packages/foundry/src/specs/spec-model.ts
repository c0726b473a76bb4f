import type { UnknownRecord } from "@foundry-mcp/contract";
import {
  type NodeStatus,
  type NodeType,
  nodeStatuses,
  nodeTypes,
  rootId,
  type SpecDocument,
} from "./spec-document.ts";

/** A node as the rules see it: whatever its file lacks has a value. */
export interface SpecNode {
  readonly id: string;
  readonly type: NodeType;
  readonly title: string;
  readonly status: NodeStatus;
  readonly parent: string | null;
  /** In the order of work; only those that exist, each once. */
  readonly children: readonly string[];
  readonly blockedBy: readonly string[];
  readonly blocks: readonly string[];
  readonly depends: readonly string[];
  readonly metadata: UnknownRecord;
  /** As the file holds it. */
  readonly raw: UnknownRecord;
}

/** How much of a part of a spec is done: its leaves of type task, subtask and verify. */
export interface Tally {
  readonly total: number;
  readonly completed: number;
}

const counted: ReadonlySet<NodeType> = new Set(["task", "subtask", "verify"]);

/**
 * A spec as the rules see it: nodes, their order, what is done. Made of any parsed file, also of a broken
 * one; each part is worked out when it is first asked for, and then kept.
 */
export class SpecModel {
  readonly document: SpecDocument;
  readonly #hierarchy: UnknownRecord;
  readonly #nodes = new Map<string, SpecNode | undefined>();
  #walked: Walk | undefined;
  #tallies: ReadonlyMap<string, Tally> | undefined;

  constructor(document: SpecDocument) {
    this.document = document;
    const { hierarchy } = document;
    this.#hierarchy = isRecord(hierarchy) ? hierarchy : {};
  }

  get id(): string {
    const { spec_id: id } = this.document;
    return typeof id === "string" ? id : "";
  }

  get title(): string {
    const { title, metadata } = this.document;
    const own = isRecord(metadata) ? metadata["title"] : undefined;
    return [title, own, this.node(rootId)?.title, this.id].find(
      (each) => typeof each === "string" && each !== "",
    ) as string;
  }

  get metadata(): UnknownRecord {
    const { metadata } = this.document;
    return isRecord(metadata) ? metadata : {};
  }

  get journal(): readonly UnknownRecord[] {
    const { journal } = this.document;
    return Array.isArray(journal) ? journal.filter(isRecord) : [];
  }

  /** The ids of all nodes, as the file has them. */
  get ids(): readonly string[] {
    return Object.keys(this.#hierarchy);
  }

  /** The node of an id; undefined where there is none. */
  node(id: string): SpecNode | undefined {
    if (this.#nodes.has(id)) return this.#nodes.get(id);
    const raw = Object.hasOwn(this.#hierarchy, id) ? this.#hierarchy[id] : undefined;
    const node = isRecord(raw) ? this.#read(id, raw) : undefined;
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

  /** All ids below the root in the order of work, depth first, parents before children. */
  get order(): readonly string[] {
    this.#walked ??= this.#walk();
    return this.#walked.order;
  }

  /** How much of a node is done. */
  tally(id: string): Tally {
    this.#tallies ??= this.#count();
    return this.#tallies.get(id) ?? { total: 0, completed: 0 };
  }

  /** True for a node that is work itself: nothing below it. */
  isLeaf(node: SpecNode): boolean {
    return node.children.length === 0;
  }

  /** True for work that counts towards progress. */
  isCounted(node: SpecNode): boolean {
    return this.isLeaf(node) && counted.has(node.type);
  }

  #nodesOf(ids: readonly string[]): readonly SpecNode[] {
    return ids.map((id) => this.node(id)).filter((node) => node !== undefined);
  }

  #read(id: string, raw: UnknownRecord): SpecNode {
    const { type, title, status, parent, children, dependencies, metadata } = raw;
    const links = isRecord(dependencies) ? dependencies : {};
    return {
      id,
      type: typeOf(type),
      title: typeof title === "string" ? title : id,
      status: (nodeStatuses as readonly unknown[]).includes(status) ? (status as NodeStatus) : "pending",
      parent: typeof parent === "string" ? parent : null,
      children: unique(this.#existing(id, children)),
      blockedBy: textsOf(links["blocked_by"]),
      blocks: textsOf(links["blocks"]),
      depends: textsOf(links["depends"]),
      metadata: isRecord(metadata) ? metadata : {},
      raw,
    };
  }

  /** The children of an id without its node: a walk needs no more, and specs may be long. */
  #childIds(id: string): readonly string[] {
    const known = this.#nodes.get(id);
    if (known !== undefined) return known.children;
    const raw = Object.hasOwn(this.#hierarchy, id) ? this.#hierarchy[id] : undefined;
    return isRecord(raw) ? this.#existing(id, raw["children"]) : [];
  }

  #existing(id: string, children: unknown): readonly string[] {
    if (!Array.isArray(children) || children.length === 0) return none;
    return children.filter(
      (child) => typeof child === "string" && child !== id && Object.hasOwn(this.#hierarchy, child),
    );
  }

  /** Iterative, and each node once: files may nest deeply and in circles. */
  #walk(): Walk {
    const order: string[] = [];
    const parents: number[] = [];
    const seen = new Set<string>([rootId]);
    const waiting: string[] = [];
    const above: number[] = [];
    const push = (id: string, place: number) => {
      const children = this.#childIds(id);
      for (let index = children.length - 1; index >= 0; index--) {
        waiting.push(children[index] as string);
        above.push(place);
      }
      return children.length;
    };
    push(rootId, -1);
    const leaves: boolean[] = [];
    for (let id = waiting.pop(); id !== undefined; id = waiting.pop()) {
      const parent = above.pop() as number;
      if (seen.has(id)) continue;
      seen.add(id);
      order.push(id);
      parents.push(parent);
      leaves.push(push(id, order.length - 1) === 0);
    }
    return { order, parents, leaves };
  }

  /** Backwards through the order every node comes after all that is below it. */
  #count(): ReadonlyMap<string, Tally> {
    this.#walked ??= this.#walk();
    const { order, parents, leaves } = this.#walked;
    const tallies = order.map((id, index) =>
      leaves[index] ? this.#countLeaf(id) : { total: 0, completed: 0 },
    );
    const whole = { total: 0, completed: 0 };
    for (let index = order.length - 1; index >= 0; index--) {
      const own = tallies[index] as Tally;
      const above = tallies[parents[index] as number] ?? whole;
      above.total += own.total;
      above.completed += own.completed;
    }
    return new Map([[rootId, whole], ...order.map((id, index) => [id, tallies[index] as Tally] as const)]);
  }

  #countLeaf(id: string): { total: number; completed: number } {
    const raw = this.#hierarchy[id];
    const isWork = isRecord(raw) && counted.has(typeOf(raw["type"]));
    return { total: isWork ? 1 : 0, completed: isWork && raw["status"] === "completed" ? 1 : 0 };
  }
}

/** The nodes below the root in the order of work, with the place of each one's parent; -1 is the root. */
interface Walk {
  readonly order: readonly string[];
  readonly parents: readonly number[];
  readonly leaves: readonly boolean[];
}

const none: readonly string[] = [];

/** True for an object that is no list. */
export function isRecord(value: unknown): value is UnknownRecord {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function typeOf(type: unknown): NodeType {
  return (nodeTypes as readonly unknown[]).includes(type) ? (type as NodeType) : "task";
}

function unique(ids: readonly string[]): readonly string[] {
  return ids.length < 2 ? ids : [...new Set(ids)];
}

function textsOf(value: unknown): readonly string[] {
  if (!Array.isArray(value) || value.length === 0) return none;
  return value.filter((each) => typeof each === "string");
}
