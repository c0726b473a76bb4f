/** The part of an entry that decides when it is removed. */
export interface RemovableEntry {
  readonly owner: string;
  readonly size: number;
  /** In milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Orders entries by when they are removed from a full archive: expired ones first, then each time the oldest of the
 * owner that holds the most bytes, so that no owner pushes out the content of the others. `expiredAt` is the
 * creation time up to which entries have expired; of equally old ones the later in the list is the newer.
 */
export function toRemovalOrder<E extends RemovableEntry>(
  entries: readonly E[],
  expiredAt: number,
): readonly E[] {
  /** The bytes of each owner that are as new as the entry or newer: what the owner holds when it is its oldest. */
  const held = new Map<E, number>();
  const bytesOf = new Map<string, number>();
  const oldestFirst = entries.toSorted((one, other) => one.createdAt - other.createdAt);
  for (const entry of oldestFirst.toReversed()) {
    const bytes = (bytesOf.get(entry.owner) ?? 0) + entry.size;
    bytesOf.set(entry.owner, bytes);
    held.set(entry, entry.createdAt <= expiredAt ? Number.POSITIVE_INFINITY : bytes);
  }
  // The sort is stable: of equal ones the oldest is removed first.
  const heldWith = (entry: E) => held.get(entry) ?? 0;
  return oldestFirst.toSorted((one, other) => compareDescending(heldWith(one), heldWith(other)));
}

/** Compares without subtracting: the difference of two infinities is no number. */
function compareDescending(one: number, other: number): number {
  if (one === other) return 0;
  return one > other ? -1 : 1;
}
