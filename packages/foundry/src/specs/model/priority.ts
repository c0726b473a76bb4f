import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Priority, priorities } from "./known-values.ts";

/** Returns the priority that metadata has; undefined for none, and for a value that is no priority. */
export function priorityOf({ priority }: UnknownRecord): Priority | undefined {
  return priorities.find((each) => each === priority);
}

/** Returns the rank of metadata in the order of work, 0 for the highest; without a priority it is medium. */
export function priorityRank(metadata: UnknownRecord): number {
  return priorities.indexOf(priorityOf(metadata) ?? "medium");
}
