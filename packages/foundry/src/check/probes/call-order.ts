import { normalizeKey } from "../arguments/value-pool.ts";

/** The stage in the life of an object at which an operation acts. */
type Stage = "create" | "claim" | "held" | "start" | "end" | "remove" | "restore" | "other";

/**
 * Verbs in the order of an object's life. An object is created first, then changed, then closed, and then removed.
 */
const stages: readonly (readonly [Stage, RegExp])[] = [
  ["create", /^(?:create|add|insert|new|register|import|upload|put|write|append|post|save|store)$/],
  ["claim", /^(?:claim|acquire|lock|reserve|assign|next|take)$/],
  ["held", /^(?:heartbeat|renew|refresh|extend)$/],
  ["held", /^(?:release|unclaim|unlock|unassign)$/],
  ["other", /^(?:update|set|edit|move|rename|patch|modify|fix|batch|change)$/],
  ["start", /^(?:start|begin|activate|enable|open|run|execute)$/],
  ["other", /^(?:block|pause|suspend|disable|stop|hold)$/],
  ["other", /^(?:unblock|resume|unpause|continue)$/],
  ["other", /^(?:complete|finish|close|submit|publish|approve|done)$/],
  ["other", /^reopen$/],
  ["other", /^(?:undo|rollback|revert)$/],
  ["end", /^(?:archive|clear|reset|cancel|abandon)$/],
  ["remove", /^(?:remove|delete|drop|purge)$/],
  ["restore", /^(?:restore|undelete|recover)$/],
];
const middle = 4;
const removal = stages.findIndex(([, verbs]) => verbs.test("remove"));
/** Relations between two objects. While such a relation exists, other calls may fail. */
const relations = /^(?:dependency|link|relation|edge|reference)$/;

/** The names that identify an operation. */
interface NamedOperation {
  readonly tool: string;
  readonly action?: string | undefined;
}

/**
 * Orders operations by the stages of an object's life, so that each operation finds the objects that it needs. An
 * added relation is removed before any other operation runs. The object that was created last is removed first: for
 * example, a task is removed before the spec that contains the task.
 */
export function toCallOrder<T extends NamedOperation>(operations: readonly T[]): readonly T[] {
  return operations
    .map((operation, index) => {
      const { group, rank } = rankOf(operation);
      return { operation, group, rank, index: rank === removal ? -index : index };
    })
    .toSorted((a, b) => a.group - b.group || a.rank - b.rank || a.index - b.index)
    .map(({ operation }) => operation);
}

/** Returns the stage of an operation. The stage is `other` for relations between two objects. */
export function stageOf(operation: NamedOperation): Stage {
  const { rank, group } = rankOf(operation);
  return group === 1 ? "other" : (stages[rank]?.[0] ?? "other");
}

/**
 * Returns true for an operation that deletes an object or takes it out of use. The checker calls such an operation
 * only on objects that the check created.
 */
export function isEnding(operation: NamedOperation): boolean {
  return ["end", "remove"].includes(stageOf(operation));
}

/** Returns the stage of the verb in a name such as `add-dependency`, and the group in which the operation runs. */
function rankOf({ tool, action }: NamedOperation): { readonly rank: number; readonly group: number } {
  const words = normalizeKey(action ?? tool).split("_");
  const stage = stages.findIndex(([, verbs]) => words.some((word) => verbs.test(word)));
  const rank = stage === -1 ? middle : stage;
  if (words.some((word) => relations.test(word))) return { rank, group: 1 };
  return { rank, group: rank === 0 ? 0 : 2 };
}
