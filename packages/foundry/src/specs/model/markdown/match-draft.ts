import type { ChangeContext } from "../change.ts";
import { toSlug } from "../changes/create-spec.ts";
import { workTypes } from "../changes/new-node.ts";
import { createIdSource, highestNumbers, type NewNodeType } from "../new-ids.ts";
import { type NodeType, rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Draft, type DraftNode, defaultType, type Loss, toLoss } from "./draft.ts";
import type { Outline } from "./outline.ts";

/** A node of a draft, and the node of the spec that it is. */
export interface DraftTarget {
  readonly id: string;
  readonly draft: DraftNode;
  readonly parent: string;
  readonly type: NodeType;
  readonly isNew: boolean;
  /**
   * The document names its id, and so says all there is to say of it: what is left out shall go. One that was known
   * by its title keeps what the document does not mention.
   */
  readonly isNamed: boolean;
  readonly children: readonly string[];
}

/** Which nodes of a spec a draft is about. */
export interface DraftMatch {
  /** Parents before children, by id. */
  readonly targets: ReadonlyMap<string, DraftTarget>;
  /** What the draft has right below the root. */
  readonly top: readonly string[];
  /** Nodes of the spec that the draft does not have. */
  readonly missing: ReadonlySet<string>;
  readonly marks: Readonly<Record<string, number>>;
  readonly losses: readonly Loss[];
}

const wellFormed = /^[A-Za-z][A-Za-z0-9_.-]{0,99}$/;

/** Finds the nodes that a draft is about: by id, else by title below the same parent. All others are new. */
export function matchDraft(
  spec: SpecModel,
  outline: Outline,
  draft: Draft,
  { marks }: Pick<ChangeContext, "marks">,
): DraftMatch {
  const claims = new Map<string, DraftNode>();
  const named = (nodes: readonly DraftNode[]) => {
    for (const node of nodes) {
      if (node.id !== undefined && !claims.has(node.id)) claims.set(node.id, node);
      named(node.children);
    }
  };
  named(draft.nodes);
  const known = new Set(spec.ids);
  const taken = new Set([...known, ...claims.keys()]);
  const source = createIdSource(spec, highest(marks, highestNumbers(claims.keys())));
  const titles = createTitles(spec, outline, (id) => claims.has(id));
  const targets = new Map<string, DraftTarget>();
  const losses: Loss[] = [];

  const create = ({ id, title, line }: DraftNode, parent: string, type: NodeType): string => {
    if (id !== undefined) {
      const why = refusal(id);
      if (why === undefined) return id;
      losses.push(toLoss(line, `{#${id}}`, `The id ${why}; the task gets another one`));
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
    if (!wellFormed.test(id)) return "has characters that ids do not have";
    if (known.has(id)) return "is that of a node that hangs on nothing";
    const [mark] = Object.entries(highestNumbers([id]));
    const isGone =
      mark !== undefined && Object.hasOwn(marks, mark[0]) && (marks[mark[0]] as number) >= mark[1];
    return isGone ? "was given before to a task that is gone" : undefined;
  };

  const visit = (node: DraftNode, parent: string, parentType: NodeType): string => {
    const isNamed = node.id !== undefined && claims.get(node.id) === node && outline.parents.has(node.id);
    const found = isNamed ? node.id : node.id === undefined ? titles(parent, node.title) : undefined;
    const held = found === undefined ? undefined : spec.node(found);
    const type =
      held === undefined
        ? newType(node, parentType, losses)
        : keptType(
            node,
            held.type,
            isNamed ? toSaid(spec, outline, node, held.id, parent) : node.type,
            losses,
          );
    const id = held?.id ?? create(node, parent, type);
    const children: string[] = [];
    targets.set(id, { id, draft: node, parent, type, isNew: held === undefined, isNamed, children });
    for (const child of node.children) children.push(visit(child, id, type));
    return id;
  };
  const top = draft.nodes.map((node) => visit(node, rootId, "spec"));
  const missing = new Set(spec.order.filter((id) => outline.parents.has(id) && !targets.has(id)));
  return { targets, top, missing, marks: source.marks, losses };
}

/** Without a class a node that stands where it stood is what is usual there; one that was moved stays what it is. */
function toSaid(
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

function keptType({ line }: DraftNode, held: NodeType, said: NodeType | undefined, losses: Loss[]): NodeType {
  if (said === undefined || said === held) return held;
  const isWork = (type: NodeType) => (workTypes as readonly NodeType[]).includes(type);
  if (isWork(said) && isWork(held)) return said;
  losses.push(toLoss(line, `.${said}`, `A ${held} cannot become a ${said}`));
  return held;
}

/** Finds children by their titles, each once. */
function createTitles(
  spec: SpecModel,
  outline: Outline,
  isClaimed: (id: string) => boolean,
): (parent: string, title: string) => string | undefined {
  const waiting = new Map<string, Map<string, string[]>>();
  const open = (parent: string) => {
    const titles = new Map<string, string[]>();
    for (const id of outline.children.get(parent) ?? []) {
      if (isClaimed(id)) continue;
      const title = spec.node(id)?.title ?? "";
      titles.set(title, [...(titles.get(title) ?? []), id]);
    }
    waiting.set(parent, titles);
    return titles;
  };
  return (parent, title) => (waiting.get(parent) ?? open(parent)).get(title)?.shift();
}

function highest(
  a: Readonly<Record<string, number>>,
  b: Readonly<Record<string, number>>,
): Readonly<Record<string, number>> {
  const merged = new Map(Object.entries(a));
  for (const [prefix, number] of Object.entries(b))
    merged.set(prefix, Math.max(merged.get(prefix) ?? 0, number));
  return Object.fromEntries(merged);
}
