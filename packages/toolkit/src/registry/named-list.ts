import { duplicateEntry } from "@foundry-mcp/contract";

/** A list in the order of declaration whose items have unique names. */
export interface NamedList<T> {
  readonly items: readonly T[];
  add(item: T): void;
  /** Removes an item; returns true if the item existed. */
  remove(name: string): boolean;
}

/** Creates a list that throws if a name is already in use. */
export function createNamedList<T>(
  declared: readonly T[],
  kind: string,
  nameOf: (item: T) => string,
): NamedList<T> {
  const byName = new Map<string, T>();
  const list: NamedList<T> = {
    get items() {
      return [...byName.values()];
    },
    add(item) {
      if (byName.has(nameOf(item))) throw duplicateEntry(kind, nameOf(item));
      byName.set(nameOf(item), item);
    },
    remove: (name) => byName.delete(name),
  };
  for (const item of declared) list.add(item);
  return list;
}
