import type { Edit } from "../../files/json-text/edit.ts";
import type { SpecModel } from "../model/spec-model.ts";

/** The maximum number of nodes in a history entry. */
const maxAffected = 3;

/**
 * Returns the ids of the first few nodes that a change is about. Nodes that change only because another node changes are
 * left out: the ancestors of a changed node, the nodes below an added or removed node, and the other ends of its links.
 */
export function affectedNodes(
  edits: readonly Edit[],
  before: SpecModel,
  after: SpecModel,
): readonly string[] {
  const { all, whole, moved, relinked, changed } = sortNodes(edits, before, after);
  const placed = [...whole, ...moved];
  const named = placed.length > 0 ? [...placed, ...changed] : [...changed, ...relinked];
  const ids = new Set(named.length > 0 ? named : all);
  const parentsOf = (id: string) => [...new Set([before, after].flatMap((spec) => parentIn(spec, id)))];
  const ancestors = ancestorsOf(ids, parentsOf);
  return [...ids]
    .filter((id) => whole.has(id) || !ancestors.has(id))
    .filter((id) => !parentsOf(id).some((parent) => whole.has(parent)))
    .slice(0, maxAffected);
}

/** Sorts the edited nodes by the kind of their edits. */
function sortNodes(edits: readonly Edit[], before: SpecModel, after: SpecModel) {
  const all = new Set<string>();
  /** The nodes that were added or removed. */
  const whole = new Set<string>();
  const moved = new Set<string>();
  /** The nodes that wait for other nodes than before. */
  const relinked = new Set<string>();
  /** The nodes of which another field was changed. */
  const changed = new Set<string>();
  for (const edit of edits) {
    const [top, id, field, list] = edit.path;
    if (top !== "hierarchy" || typeof id !== "string") continue;
    all.add(id);
    if (field === undefined)
      (before.node(id) === undefined || after.node(id) === undefined ? whole : changed).add(id);
    // A list of children says which node was moved; the node that lists the children is not what was moved.
    else if (field === "children") {
      if (edit.op === "insert" && typeof edit.value === "string") moved.add(edit.value);
    } else if (field === "parent") moved.add(id);
    // `blocks` mirrors `blocked_by` of the node that waits.
    else if (field === "dependencies") {
      if (list !== "blocks") relinked.add(id);
    } else changed.add(id);
  }
  return { all, whole, moved, relinked, changed };
}

/** Returns the ancestors of nodes. Each is visited only once, because edits may affect all nodes of a deep tree. */
function ancestorsOf(
  ids: ReadonlySet<string>,
  parentsOf: (id: string) => readonly string[],
): ReadonlySet<string> {
  const ancestors = new Set<string>();
  for (const id of ids) {
    const queue = [...parentsOf(id)];
    for (let up = queue.pop(); up !== undefined; up = queue.pop()) {
      if (up === id || ancestors.has(up)) continue;
      ancestors.add(up);
      queue.push(...parentsOf(up));
    }
  }
  return ancestors;
}

function parentIn(spec: SpecModel, id: string): readonly string[] {
  const parent = spec.node(spec.node(id)?.parent ?? "")?.id;
  return parent === undefined ? [] : [parent];
}
