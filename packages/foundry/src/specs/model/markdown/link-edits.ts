import { isRecord } from "@foundry-mcp/contract";
import type { Edit } from "../../../files/json-text/edit.ts";
import { type DependencyField, dependencyFields } from "../known-values.ts";
import { emptyLinks } from "../node-edits.ts";
import { rootId } from "../spec-document.ts";
import type { SpecModel } from "../spec-model.ts";
import { type Loss, toLoss } from "./import-report.ts";
import type { DraftMatch, DraftTarget } from "./match-draft.ts";

/** The new values of the dependency lists that change, by node. */
export type Links = ReadonlyMap<string, Partial<Record<DependencyField, readonly string[]>>>;

/** The changes that a draft makes to the dependencies of a spec. */
export interface LinkChanges {
  readonly links: Links;
  /** Nodes whose blockers change. */
  readonly changed: readonly string[];
  /** Nodes that get a new blocker. */
  readonly added: readonly string[];
  readonly losses: readonly Loss[];
}

/**
 * Computes the dependency lists after an import: the draft's dependencies on both ends, without those on
 * removed nodes.
 */
export function linkChanges(spec: SpecModel, matched: DraftMatch, removed: ReadonlySet<string>): LinkChanges {
  const links = new Map<string, Partial<Record<DependencyField, readonly string[]>>>();
  const [changed, added, losses]: [string[], string[], Loss[]] = [[], [], []];
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
  const find = createLookup(spec, matched, removed);
  for (const target of matched.targets.values()) {
    const names = target.draft.fields["depends_on"];
    if (names === undefined && !target.isNamed) continue;
    const stored = listOf(target.id, "blocked_by");
    const wanted = blockersOf(target, Array.isArray(names) ? names : [], stored, find, losses);
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
  return { links, changed, added, losses };
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

function blockersOf(
  { id, draft: { line } }: DraftTarget,
  names: readonly string[],
  stored: readonly string[],
  find: (name: string) => string | undefined,
  losses: Loss[],
): readonly string[] {
  const wanted = new Set<string>();
  for (const name of names) {
    // A file may name a blocker that no longer exists; the draft may keep it.
    const found = stored.includes(name) ? name : find(name);
    if (found === undefined)
      losses.push(
        toLoss(line, name, "Nothing has this id or, alone, this title: the dependency is left out"),
      );
    else if (found === id && !stored.includes(name))
      losses.push(toLoss(line, name, "Nothing can wait for itself: the dependency is left out"));
    else wanted.add(found);
  }
  return [...wanted];
}

/**
 * Creates a lookup of what a document names: an id of the document, an id of the spec, or a title that is
 * unique.
 */
function createLookup(
  spec: SpecModel,
  { targets }: DraftMatch,
  removed: ReadonlySet<string>,
): (name: string) => string | undefined {
  const ids = new Map<string, string>();
  const titles = new Map<string, string | undefined>();
  for (const { id, draft } of targets.values()) {
    if (draft.id !== undefined && !ids.has(draft.id)) ids.set(draft.id, id);
    const title = draft.title.toLowerCase();
    titles.set(title, titles.has(title) ? undefined : id);
  }
  return (name) => {
    const known = ids.get(name);
    if (known !== undefined) return known;
    if (name !== rootId && spec.node(name) !== undefined && !removed.has(name)) return name;
    return titles.get(name.toLowerCase());
  };
}
