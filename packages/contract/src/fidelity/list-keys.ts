/** The keys of large objects, listed once for all tries: listing a million takes a third of a second. */
export type KeyLists = WeakMap<object, readonly string[]>;

/** The keys of an object. */
export function listKeys(record: object, known: KeyLists): readonly string[] {
  const listed = known.get(record);
  if (listed !== undefined) return listed;
  const keys = Object.keys(record);
  if (keys.length > 1_000) known.set(record, keys);
  return keys;
}
