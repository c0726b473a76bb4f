import type { UnknownRecord } from "@foundry-mcp/contract";
import { openBlockers } from "./dependencies.ts";
import { awaitedWork } from "./readiness.ts";
import type { SpecModel, SpecNode } from "./spec-model.ts";

/** The reason why a task cannot continue, in the form that every response uses. */
export interface Blocker {
  /** The task that the blocked task waits for. */
  readonly task_id?: string | undefined;
  readonly type?: string | undefined;
  readonly reason: string;
  /** A reference to an issue tracker. */
  readonly ticket?: string | undefined;
}

/** Converts the metadata of a blocked task to its blocker. */
export function toBlocker({ blocker_type, blocker_description, blocker_ticket }: UnknownRecord): Blocker {
  return {
    ...(isText(blocker_type) ? { type: blocker_type } : {}),
    reason: isText(blocker_description) ? blocker_description : "",
    ...(isText(blocker_ticket) ? { ticket: blocker_ticket } : {}),
  };
}

/**
 * Returns the reason why a task cannot continue: the recorded blocker or, if there is none, the first
 * uncompleted task that the task waits for.
 */
export function findBlocker(spec: SpecModel, node: SpecNode): Blocker | undefined {
  const { id, status, metadata } = node;
  if (status === "completed") return undefined;
  if (status === "blocked" && isText(metadata["blocker_description"])) return toBlocker(metadata);
  const [first] = openBlockers(spec, id);
  if (first !== undefined)
    return { task_id: first.id, type: "dependency", reason: `Waits for ${first.id}: ${first.title}` };
  if (status === "blocked") return toBlocker(metadata);
  const [work] = awaitedWork(spec, node)?.first ?? [];
  return work && { task_id: work.id, type: "dependency", reason: `Verifies ${work.id}: ${work.title}` };
}

function isText(value: unknown): value is string {
  return typeof value === "string" && value !== "";
}
