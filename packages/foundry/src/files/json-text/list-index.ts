const pattern = /^(0|[1-9][0-9]*)$/;

/** The place in a list that a key of a path names; -1 for a key that names none. */
export function toListIndex(key: string | number): number {
  return pattern.test(String(key)) ? Number(key) : -1;
}

/** True for keys that JavaScript puts before all others of an object, wherever they were added. */
export function isIndexKey(key: string): boolean {
  return pattern.test(key) && Number(key) < 2 ** 32 - 1;
}
