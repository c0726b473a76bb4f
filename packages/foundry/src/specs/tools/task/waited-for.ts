import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "../../model/spec-model.ts";

/** A task for which another task waited, and the note that was recorded at its completion. */
export interface WaitedFor {
  readonly task_id: string;
  readonly title: string;
  readonly note?: string | undefined;
}

/**
 * The maximum number of tasks in the list. There may be many such tasks, because a dependency on a phase
 * covers all its tasks.
 */
const maxWaitedFor = 100;

/**
 * Returns the completed work for which a task waited. The blockers of the task come first, then the blockers
 * of its ancestors.
 */
export function waitedFor(spec: SpecModel, node: SpecNode): readonly WaitedFor[] {
  const done = new Map<string, SpecNode>();
  for (const each of spec.ancestry(node.id))
    for (const id of each.blockedBy) collectCompleted(spec, id, done, () => true);
  if (node.type === "verify") collectVerified(spec, node, done);
  if (done.size === 0) return [];
  const notes = completionNotes(spec, done);
  return [...done.values()].map(({ id, title }) => {
    const note = notes.get(id);
    return { task_id: id, title, ...(note === undefined ? {} : { note }) };
  });
}

/**
 * Returns the note that was recorded when a task was completed; undefined if the task is open or has no such
 * note.
 */
export function completionNote(spec: SpecModel, node: SpecNode): string | undefined {
  if (node.status !== "completed") return undefined;
  return completionNotes(spec, new Map([[node.id, node]])).get(node.id);
}

/** Collects the tasks with the same parent, because a verification covers these tasks. */
function collectVerified(spec: SpecModel, { id, parent }: SpecNode, done: Map<string, SpecNode>): void {
  if (parent !== null)
    collectCompleted(spec, parent, done, (leaf) => leaf.id !== id && leaf.type !== "verify");
}

function collectCompleted(
  spec: SpecModel,
  top: string,
  done: Map<string, SpecNode>,
  isWanted: (leaf: SpecNode) => boolean,
): void {
  const visited = new Set<string>();
  const stack = [top];
  for (let id = stack.pop(); id !== undefined && done.size < maxWaitedFor; id = stack.pop()) {
    const node = visited.has(id) ? undefined : spec.node(id);
    visited.add(id);
    if (node === undefined) continue;
    for (const child of node.children.toReversed()) stack.push(child);
    if (spec.isLeaf(node) && node.status === "completed" && isWanted(node)) done.set(id, node);
  }
}

/**
 * Finds the last completion note of each task. The search begins at the end of the journal, because journals
 * are long.
 */
function completionNotes(
  { journal }: SpecModel,
  tasks: ReadonlyMap<string, SpecNode>,
): ReadonlyMap<string, string> {
  const notes = new Map<string, string>();
  const left = new Set(tasks.keys());
  for (let index = journal.length - 1; index >= 0 && left.size > 0; index--) {
    const { task_id: id, content, ...entry } = journal[index] as UnknownRecord;
    if (typeof id !== "string" || !left.has(id) || !isCompletion(entry)) continue;
    left.delete(id);
    // The default note contains no information in addition to the title.
    const isDefault = content === `Completed "${tasks.get(id)?.title}".`;
    if (typeof content === "string" && content !== "" && !isDefault) notes.set(id, content);
  }
  return notes;
}

function isCompletion({ title }: UnknownRecord): boolean {
  return typeof title === "string" && /^task completed\b/i.test(title);
}
