import { normalizeKey } from "../arguments/value-pool.ts";

/** Verbs in the order of a life: what is made first is changed, closed and removed later. */
const stages: readonly RegExp[] = [
  /^(?:create|add|insert|new|register|import|upload|put|write|append|post|save|store)$/,
  /^(?:claim|acquire|lock|reserve|assign|next|take)$/,
  /^(?:heartbeat|renew|refresh|extend)$/,
  /^(?:release|unclaim|unlock|unassign)$/,
  /^(?:update|set|edit|move|rename|patch|modify|fix|batch|change)$/,
  /^(?:start|begin|activate|enable|open|run|execute)$/,
  /^(?:block|pause|suspend|disable|stop|hold)$/,
  /^(?:unblock|resume|unpause|continue)$/,
  /^(?:complete|finish|close|submit|publish|approve|done)$/,
  /^reopen$/,
  /^(?:remove|delete|drop|archive|clear|purge|reset|cancel|abandon)$/,
  /^(?:restore|undo|rollback|revert)$/,
];
const middle = 4;
/** Relations between two things, which are in the way of other calls while they are there. */
const relations = /^(?:dependency|link|relation|edge|reference)$/;

/** What is known of an operation by its name. */
interface NamedOperation {
  readonly tool: string;
  readonly action?: string | undefined;
}

/**
 * Orders operations so that each finds what it needs: by the stages of a life. A relation that one adds is removed
 * before anything else is done.
 */
export function toCallOrder<T extends NamedOperation>(operations: readonly T[]): readonly T[] {
  return operations
    .map((operation) => ({ operation, ...rankOf(operation) }))
    .toSorted((a, b) => a.group - b.group || a.rank - b.rank)
    .map(({ operation }) => operation);
}

/** What an operation does in the life of a thing; undefined for everything between. */
export function stageOf(operation: NamedOperation): "create" | "held" | "start" | "remove" | undefined {
  const { rank, group } = rankOf(operation);
  if (group === 1) return undefined;
  if (rank === 0) return "create";
  if (rank === 2 || rank === 3) return "held";
  return rank === 5 ? "start" : rank === 10 ? "remove" : undefined;
}

/** Returns the stage of the verb in a name such as `add-dependency`, and the group that it is done in. */
function rankOf({ tool, action }: NamedOperation): { readonly rank: number; readonly group: number } {
  const words = normalizeKey(action ?? tool).split("_");
  const stage = stages.findIndex((verbs) => words.some((word) => verbs.test(word)));
  const rank = stage === -1 ? middle : stage;
  if (words.some((word) => relations.test(word))) return { rank, group: 1 };
  return { rank, group: rank === 0 ? 0 : 2 };
}
