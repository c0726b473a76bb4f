/** The fields of an entry that determine the order of removal. */
export interface RemovableEntry {
  readonly owner: string;
  readonly size: number;
  /** The creation time in milliseconds since 1970. */
  readonly createdAt: number;
}

/**
 * Orders entries for removal from a full archive: expired entries first, then repeatedly the oldest entry of
 * the owner with the most remaining bytes. This order prevents an owner from displacing the content of other
 * owners. Entries created at or before `expiredAt` have expired; if two entries have the same age, the entry
 * that is later in the list counts as newer.
 */
export function toRemovalOrder<E extends RemovableEntry>(
  entries: readonly E[],
  expiredAt: number,
): readonly E[] {
  /**
   * For each entry, the total size of this entry and of all newer entries of the same owner. When the entry has
   * become the oldest entry of its owner, the owner stores this number of bytes.
   */
  const held = new Map<E, number>();
  const bytesOf = new Map<string, number>();
  const oldestFirst = entries.toSorted((one, other) => one.createdAt - other.createdAt);
  for (const entry of oldestFirst.toReversed()) {
    const bytes = (bytesOf.get(entry.owner) ?? 0) + entry.size;
    bytesOf.set(entry.owner, bytes);
    held.set(entry, entry.createdAt <= expiredAt ? Number.POSITIVE_INFINITY : bytes);
  }
  // The sort is stable, so among entries with equal numbers of bytes, the oldest entry is removed first.
  const heldWith = (entry: E) => held.get(entry) ?? 0;
  return oldestFirst.toSorted((one, other) => compareDescending(heldWith(one), heldWith(other)));
}

/** Compares without subtracting, because the difference of two infinities is NaN. */
function compareDescending(one: number, other: number): number {
  if (one === other) return 0;
  return one > other ? -1 : 1;
}
