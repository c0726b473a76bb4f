/** Matches the ids of the calls of a check. */
export const requestIds = /\bcheck-\d{6,12}\b/g;

/**
 * Returns the request id of a call. All ids have the same length, because a server may fit its answer, including the
 * request id, into a budget.
 */
export function toRequestId(count: number): string {
  return `check-${String(count).padStart(6, "0")}`;
}
