import type { ChangeContext } from "../change.ts";
import { toSlug } from "../changes/create-spec.ts";
import { workTypes } from "../changes/new-node.ts";
import { nodeIdPattern } from "../known-values.ts";
import { createIdSource, highestNumbers, type NewNodeType } from "../new-ids.ts";
import { type NodeType, rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Draft, type DraftNode, defaultType } from "./draft.ts";
import { type Loss, toLoss } from "./import-report.ts";
import type { Outline } from "./to-draft.ts";

/** A node of a draft, with the id of the node in the spec that the draft describes. */
export interface DraftTarget {
  readonly id: string;
  readonly draft: DraftNode;
  readonly parent: string;
  readonly type: NodeType;
  readonly isNew: boolean;
  /**
   * True if the document contains the id of the node. The document then describes the node completely, so a
   * field that the document leaves out is removed. A node that was matched by title keeps the fields that the
   * document does not mention.
   */
  readonly isNamed: boolean;
  readonly children: readonly string[];
}

/** The nodes of a spec that a draft describes. */
export interface DraftMatch {
  /** The targets by id; parents come before their children. */
  readonly targets: ReadonlyMap<string, DraftTarget>;
  /** The ids of the nodes directly below the root. */
  readonly top: readonly string[];
  /** The ids of the nodes of the spec that the draft does not contain. */
  readonly missing: ReadonlySet<string>;
  readonly marks: Readonly<Record<string, number>>;
  readonly losses: readonly Loss[];
}

/**
 * Matches the nodes of a draft with nodes of the spec. A node with an id is matched by its id, and a node
 * without an id by its title below the same parent. All other nodes are new.
 */
export function matchDraft(
  spec: SpecModel,
  outline: Outline,
  draft: Draft,
  { marks }: Pick<ChangeContext, "marks">,
): DraftMatch {
  const draftsById = new Map<string, DraftNode>();
  const collectIds = (nodes: readonly DraftNode[]) => {
    for (const node of nodes) {
      if (node.id !== undefined && !draftsById.has(node.id)) draftsById.set(node.id, node);
      collectIds(node.children);
    }
  };
  collectIds(draft.nodes);
  const known = new Set(spec.ids);
  const taken = new Set([...known, ...draftsById.keys()]);
  const source = createIdSource(spec, maxMarks(marks, highestNumbers(draftsById.keys())));
  const findByTitle = createTitleLookup(spec, outline, (id) => draftsById.has(id));
  const targets = new Map<string, DraftTarget>();
  const losses: Loss[] = [];

  const create = ({ id, title, line }: DraftNode, parent: string, type: NodeType): string => {
    if (id !== undefined) {
      const reason = refusal(id);
      if (reason === undefined) return id;
      losses.push(toLoss(line, `{#${id}}`, `The id ${reason}; the task gets another one`));
    }
    if (type !== "group") return source.next(parent, type as NewNodeType);
    const stem = `${parent}-${toSlug(title)}`;
    let group = stem;
    for (let number = 2; taken.has(group); number++) group = `${stem}-${number}`;
    taken.add(group);
    return group;
  };
  const refusal = (id: string): string | undefined => {
    if (targets.has(id)) return "stands above already";
    if (!nodeIdPattern.test(id)) return "has characters that ids do not have";
    if (known.has(id)) return "belongs to a node without a parent";
    const [mark] = Object.entries(highestNumbers([id]));
    const isGone =
      mark !== undefined && Object.hasOwn(marks, mark[0]) && (marks[mark[0]] as number) >= mark[1];
    return isGone ? "belonged to a task that was removed" : undefined;
  };

  const visit = (node: DraftNode, parent: string, parentType: NodeType): string => {
    const isNamed = node.id !== undefined && draftsById.get(node.id) === node && outline.parents.has(node.id);
    const found = isNamed ? node.id : node.id === undefined ? findByTitle(parent, node.title) : undefined;
    const stored = found === undefined ? undefined : spec.node(found);
    const type =
      stored === undefined
        ? newType(node, parentType, losses)
        : keptType(
            node,
            stored.type,
            isNamed ? statedType(spec, outline, node, stored.id, parent) : node.type,
            losses,
          );
    const id = stored?.id ?? create(node, parent, type);
    const children: string[] = [];
    targets.set(id, { id, draft: node, parent, type, isNew: stored === undefined, isNamed, children });
    for (const child of node.children) children.push(visit(child, id, type));
    return id;
  };
  const top = draft.nodes.map((node) => visit(node, rootId, "spec"));
  const missing = new Set(spec.order.filter((id) => outline.parents.has(id) && !targets.has(id)));
  return { targets, top, missing, marks: source.marks, losses };
}

/**
 * Returns the type that the document gives to a node. A node without a type in the document gets the default
 * type if its parent is unchanged. If such a node was moved, it keeps its type.
 */
function statedType(
  spec: SpecModel,
  outline: Outline,
  { type }: DraftNode,
  id: string,
  parent: string,
): NodeType | undefined {
  if (type !== undefined || outline.parents.get(id) !== parent) return type;
  return defaultType(parent === rootId ? "spec" : (spec.node(parent)?.type ?? "task"));
}

function newType({ type, line }: DraftNode, parent: NodeType, losses: Loss[]): NodeType {
  if (type !== "spec") return type ?? defaultType(parent);
  losses.push(toLoss(line, ".spec", "Only the root is of this type"));
  return defaultType(parent);
}

function keptType(
  { line }: DraftNode,
  stored: NodeType,
  stated: NodeType | undefined,
  losses: Loss[],
): NodeType {
  if (stated === undefined || stated === stored) return stored;
  const isWork = (type: NodeType) => (workTypes as readonly NodeType[]).includes(type);
  if (isWork(stated) && isWork(stored)) return stated;
  losses.push(toLoss(line, `.${stated}`, `A ${stored} cannot become a ${stated}`));
  return stored;
}

/** Creates a function that finds children by title. The function returns each child only once. */
function createTitleLookup(
  spec: SpecModel,
  outline: Outline,
  isNamed: (id: string) => boolean,
): (parent: string, title: string) => string | undefined {
  const titlesByParent = new Map<string, Map<string, string[]>>();
  const indexTitles = (parent: string) => {
    const titles = new Map<string, string[]>();
    for (const id of outline.children.get(parent) ?? []) {
      if (isNamed(id)) continue;
      const title = spec.node(id)?.title ?? "";
      titles.set(title, [...(titles.get(title) ?? []), id]);
    }
    titlesByParent.set(parent, titles);
    return titles;
  };
  return (parent, title) => (titlesByParent.get(parent) ?? indexTitles(parent)).get(title)?.shift();
}

function maxMarks(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const merged = new Map(Object.entries(a));
  for (const [prefix, number] of Object.entries(b))
    merged.set(prefix, Math.max(merged.get(prefix) ?? 0, number));
  return Object.fromEntries(merged);
}
