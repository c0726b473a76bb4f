import { callTool } from "../api/call-tool.ts";
import { type CallError, toRecord, toText } from "../api/envelope.ts";
import type { Claim } from "../state/claims.ts";
import type { SpecRow } from "../state/spec-list.ts";
import type { Revision } from "../state/use-history.ts";

/** A task as lists of the server show it. */
export interface TaskRow {
  readonly task_id: string;
  readonly title: string;
  readonly status: string;
  readonly owner?: string;
  readonly blocker?: { readonly reason?: string; readonly task_id?: string; readonly type?: string };
}

/** What happens in one spec. */
export interface SpecNow {
  readonly id: string;
  readonly title: string;
  readonly inProgress: readonly TaskRow[];
  readonly blocked: readonly TaskRow[];
  readonly blockedCount: number;
  readonly ready: TaskRow | undefined;
  readonly history: readonly Revision[];
  readonly error?: CallError | undefined;
}

const maxTasks = 20;
const maxRevisions = 60;

/** Reads who has claimed what, in all active specs. */
export async function readClaims(): Promise<readonly Claim[] | CallError> {
  const answer = await callTool<{ claims: readonly Claim[] }>("task", {
    action: "claims",
    limit: 500,
    max_tokens: 0,
  });
  return answer.ok ? answer.data.claims : answer.error;
}

/** Reads the tasks in progress, the claims and the last changes of a spec. */
export async function readSpecNow({ id, title }: SpecRow): Promise<SpecNow> {
  const on = { spec_id: id, max_tokens: 0 };
  const [working, blocked, next, history] = await Promise.all([
    callTool<{ tasks: readonly TaskRow[] }>("task", {
      action: "query",
      status: "in_progress",
      limit: maxTasks,
      ...on,
    }),
    callTool<{ tasks: readonly TaskRow[]; total_count: number }>("task", {
      action: "list-blocked",
      limit: maxTasks,
      ...on,
    }),
    callTool("task", { action: "prepare", ...on }),
    callTool<{ entries: readonly Revision[] }>("spec", { action: "history", limit: maxRevisions, ...on }),
  ]);
  const found = next.ok && typeof next.data["task_id"] === "string" ? next.data : undefined;
  return {
    id,
    title,
    inProgress: working.ok ? working.data.tasks.filter(({ status }) => status === "in_progress") : [],
    blocked: blocked.ok ? blocked.data.tasks : [],
    blockedCount: blocked.ok ? blocked.data.total_count : 0,
    ready:
      found === undefined
        ? undefined
        : {
            task_id: toText(found["task_id"]),
            title: toText(toRecord(found["task"])["title"]) || toText(found["title"]),
            status: "pending",
          },
    history: history.ok ? history.data.entries : [],
    error: working.ok ? undefined : working.error,
  };
}
