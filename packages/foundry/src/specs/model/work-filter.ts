import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Priority } from "./known-values.ts";
import { priorityOf } from "./priority.ts";
import { textsOf } from "./spec-node.ts";

/** Selects specs or tasks by their metadata. */
export interface WorkFilter {
  /** Selects only specs or tasks that have all these labels. */
  readonly labels?: readonly string[] | undefined;
  readonly owner?: string | undefined;
  /** The priority. A spec or task without a priority counts as medium. */
  readonly priority?: Priority | undefined;
}

/** Returns the members of a filter that have a value; undefined if no member has a value. */
export function givenFilter({ labels, owner, priority }: WorkFilter): WorkFilter | undefined {
  const given = {
    ...(labels === undefined ? {} : { labels }),
    ...(owner === undefined ? {} : { owner }),
    ...(priority === undefined ? {} : { priority }),
  };
  return Object.keys(given).length === 0 ? undefined : given;
}

/** True for metadata that a filter selects. */
export function matchesFilter(
  { labels = [], owner, priority }: WorkFilter,
  metadata: UnknownRecord,
): boolean {
  const own = labels.length === 0 ? [] : textsOf(metadata["labels"]);
  return (
    labels.every((label) => own.includes(label)) &&
    (owner === undefined || metadata["owner"] === owner || textsOf(metadata["owners"]).includes(owner)) &&
    (priority === undefined || (priorityOf(metadata) ?? "medium") === priority)
  );
}
