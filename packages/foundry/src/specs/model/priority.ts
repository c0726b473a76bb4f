import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Priority, priorities } from "./known-values.ts";

/** Returns the priority in metadata; undefined if the priority is missing or unknown. */
export function priorityOf({ priority }: UnknownRecord): Priority | undefined {
  return priorities.find((each) => each === priority);
}

/**
 * Returns the rank of the priority in metadata; rank 0 is the highest priority. A missing priority counts as
 * medium.
 */
export function priorityRank(metadata: UnknownRecord): number {
  return priorities.indexOf(priorityOf(metadata) ?? "medium");
}
