import { isContractError, isRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { circularDependency } from "../changes/change-dependency.ts";
import { type DependencyField, dependencyFields } from "../known-values.ts";
import { emptyLinks } from "../node-edits.ts";
import { createDependencyResolver, type ResolveDependency } from "../resolve-dependency.ts";
import type { SpecModel } from "../spec-model.ts";
import type { ImportProblem } from "./import-report.ts";
import type { DraftMatch, DraftTarget } from "./match-draft.ts";
import { newPhases, waitsFor } from "./phase-order.ts";

/** The new values of the changed dependency lists, by node id. */
export type Links = ReadonlyMap<string, Partial<Record<DependencyField, readonly string[]>>>;

/** The changes that a draft makes to the dependencies of a spec. */
export interface LinkChanges {
  readonly links: Links;
  /** The ids of nodes whose blockers change. */
  readonly changed: readonly string[];
  /** The ids of nodes that get a new blocker. */
  readonly added: readonly string[];
  /** The dependencies on a node that is neither in the document nor in the spec. */
  readonly problems: readonly ImportProblem[];
}

/**
 * Computes the dependency lists after an import. Each dependency of the draft is stored in both of its nodes.
 * Dependencies on removed nodes are dropped.
 */
export function linkChanges(spec: SpecModel, matched: DraftMatch, removed: ReadonlySet<string>): LinkChanges {
  const links = new Map<string, Partial<Record<DependencyField, readonly string[]>>>();
  const [changed, added, problems]: [string[], string[], ImportProblem[]] = [[], [], []];
  const listOf = (id: string, list: DependencyField): readonly string[] => {
    const own = links.get(id)?.[list];
    if (own !== undefined) return own;
    const node = spec.node(id);
    return { blocked_by: node?.blockedBy, blocks: node?.blocks, depends: node?.depends }[list] ?? [];
  };
  const setList = (id: string, list: DependencyField, ids: readonly string[]) => {
    links.set(id, { ...links.get(id), [list]: ids });
  };
  if (removed.size > 0)
    for (const id of spec.ids)
      for (const list of dependencyFields) {
        const stored = removed.has(id) ? [] : listOf(id, list);
        const kept = stored.filter((each) => !removed.has(each));
        if (kept.length < stored.length) setList(id, list, kept);
      }
  const resolve = createResolver(spec, matched, removed);
  const link = (id: string, blocker: string) => {
    setList(id, "blocked_by", [...listOf(id, "blocked_by"), blocker]);
    setList(blocker, "blocks", [...listOf(blocker, "blocks"), id]);
  };
  for (const target of matched.targets.values()) {
    const names = target.draft.fields["depends_on"];
    if (names === undefined && !target.isNamed) continue;
    const stored = listOf(target.id, "blocked_by");
    const wanted = blockersOf(spec, target, Array.isArray(names) ? names : [], stored, resolve, problems);
    const more = wanted.filter((id) => !stored.includes(id));
    const less = stored.filter((id) => !wanted.includes(id));
    if (more.length + less.length === 0) continue;
    changed.push(target.id);
    if (more.length > 0) added.push(target.id);
    setList(target.id, "blocked_by", [...stored.filter((id) => !less.includes(id)), ...more]);
    for (const id of more)
      if (!listOf(id, "blocks").includes(target.id))
        setList(id, "blocks", [...listOf(id, "blocks"), target.id]);
    for (const id of less) {
      const others = listOf(id, "blocks").filter((each) => each !== target.id);
      if (others.length < listOf(id, "blocks").length) setList(id, "blocks", others);
    }
  }
  for (const { id, previous } of newPhases(matched)) {
    const blockersOf = (each: string) => listOf(each, "blocked_by");
    if (waitsFor(previous, id, spec, matched, blockersOf)) continue;
    link(id, previous);
    added.push(id);
  }
  return { links, changed, added, problems };
}

/** Returns the edits of dependency lists of existing nodes. */
export function linkEdits(spec: SpecModel, links: Links): readonly Edit[] {
  return [...links].flatMap(([id, lists]): readonly Edit[] => {
    const node = spec.node(id);
    if (node === undefined) return [];
    const path = ["hierarchy", id, "dependencies"];
    if (!isRecord(node.raw["dependencies"]))
      return [{ op: "set", path, value: { ...emptyLinks(), ...lists } }];
    return Object.entries(lists).map(([list, value]) => ({ op: "set", path: [...path, list], value }));
  });
}

/** Resolves the names of a node's blockers. A name that cannot be resolved is a problem of the document. */
function blockersOf(
  spec: SpecModel,
  { id, draft: { line } }: DraftTarget,
  names: readonly string[],
  stored: readonly string[],
  resolve: ResolveDependency,
  problems: ImportProblem[],
): readonly string[] {
  const wanted = new Set<string>();
  for (const name of names) {
    try {
      // A spec file may name a blocker that does not exist any more. The draft may keep such a name.
      const found = stored.includes(name) ? name : resolve({ name, field: "Depends on", waiting: id });
      if (found === id && !stored.includes(name)) throw circularDependency(spec, id, id, [id, id]);
      wanted.add(found);
    } catch (error) {
      if (!isContractError(error)) throw error;
      problems.push({ line, task_id: id, error });
    }
  }
  return [...wanted];
}

/**
 * Creates the resolver of names in a document. The resolver knows the ids and titles of the nodes in the
 * document and of the nodes that the spec keeps.
 */
function createResolver(
  spec: SpecModel,
  { targets }: DraftMatch,
  removed: ReadonlySet<string>,
): ResolveDependency {
  const ids = new Map<string, string>();
  for (const { id, draft } of targets.values())
    if (draft.id !== undefined && !ids.has(draft.id)) ids.set(draft.id, id);
  const isKept = (id: string) => spec.node(id) !== undefined && !removed.has(id);
  return createDependencyResolver({
    specId: spec.id,
    idOf: (name) => ids.get(name) ?? (targets.has(name) || isKept(name) ? name : undefined),
    nodes: () => [
      ...[...targets.values()].map(({ id, type, draft: { title } }) => ({ id, type, title })),
      ...spec.orderedNodes.filter(({ id }) => isKept(id) && !targets.has(id)),
    ],
  });
}
