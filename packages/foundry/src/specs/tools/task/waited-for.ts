import type { UnknownRecord } from "@foundry-mcp/contract";
import type { SpecModel, SpecNode } from "../../model/spec-model.ts";

/** A task that another one waited for, and the note that was left when it was completed. */
export interface WaitedFor {
  readonly task_id: string;
  readonly title: string;
  readonly note?: string | undefined;
}

/** The maximum number of tasks: a phase that was waited for stands for everything in it. */
const maxWaitedFor = 100;

/** Returns the completed work that a task waited for: its own blockers first, then those of its ancestors. */
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

/** A verification is about the work beside it. */
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

/** Finds the last completion note of each task. It searches from the end, because journals are long. */
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
    // The note that is written where none was given says nothing new.
    const isDefault = content === `Completed "${tasks.get(id)?.title}".`;
    if (typeof content === "string" && content !== "" && !isDefault) notes.set(id, content);
  }
  return notes;
}

function isCompletion({ title }: UnknownRecord): boolean {
  return typeof title === "string" && /^task completed\b/i.test(title);
}
