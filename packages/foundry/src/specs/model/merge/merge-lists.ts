import { isEqualJson } from "../diff/diff-fields.ts";

/**
 * The kind of a list. A list of ids is an ordered set. All other lists contain texts or records that a person
 * may have edited.
 */
export type ListKind = "ids" | "journal" | "items";

type Items = readonly unknown[];

/**
 * Merges the changes that two sides made to a list. The additions of both sides are kept, and items that
 * either side removed are dropped. Returns undefined if the changes contradict each other, for example if
 * both sides changed the order or edited the same item.
 */
export function mergeLists(base: Items, ours: Items, theirs: Items, kind: ListKind): Items | undefined {
  if (isEqualJson(base, theirs) || isEqualJson(ours, theirs)) return ours;
  if (isEqualJson(base, ours)) return theirs;
  const [o, a, b] = [keysOf(base), keysOf(ours), keysOf(theirs)];
  if (o === undefined || a === undefined || b === undefined) return undefined;
  if (kind === "items" && isEditedTwice(o, a, b)) return undefined;
  const isKept = (key: string) => !o.has(key) || (a.has(key) && b.has(key));
  const orders = [o, a, b].map((each) =>
    [...each.keys()].filter((key) => o.has(key) && a.has(key) && b.has(key)),
  );
  const [oldOrder, ourOrder, theirOrder] = orders.map((each) => JSON.stringify(each));
  const isTheirOrder = oldOrder === ourOrder && oldOrder !== theirOrder;
  if (!isTheirOrder && theirOrder !== oldOrder && theirOrder !== ourOrder && kind !== "journal")
    return undefined;
  // The merged list has the order of the side that changed the order. An item that only the other side has is
  // placed after the same item as on that side.
  const [lead, other] = isTheirOrder ? [b, a] : [a, b];
  const merged = placeAfter(
    [...lead.keys()].filter(isKept),
    [...other.keys()],
    (key) => isKept(key) && !lead.has(key),
    (key) => !o.has(key),
  );
  const items = merged.map((key) => (a.has(key) ? a : b).get(key));
  return kind === "journal" ? sortNewEntries(items, base) : items;
}

/**
 * Adds the chosen items of another list to a list. In the other list, the nearest preceding item that the
 * result already contains determines the place of each item. The item is placed after that item and after any
 * following items for which `isNew` is true.
 */
export function placeAfter<T>(
  list: readonly T[],
  other: readonly T[],
  isAdded: (item: T) => boolean,
  isNew: (item: T) => boolean = () => false,
): readonly T[] {
  const result = [...list];
  const known = new Set(list);
  let at = 0;
  for (const item of other) {
    if (known.has(item)) {
      at = result.indexOf(item) + 1;
      continue;
    }
    if (!isAdded(item)) continue;
    while (at < result.length && isNew(result[at] as T)) at += 1;
    result.splice(at, 0, item);
    known.add(item);
    at += 1;
  }
  return result;
}

/** Returns the items by their JSON text; undefined if an item occurs twice. */
function keysOf(items: Items): ReadonlyMap<string, unknown> | undefined {
  const keys = new Map(items.map((item) => [JSON.stringify(item), item]));
  return keys.size === items.length ? keys : undefined;
}

type Keys = ReadonlyMap<string, unknown>;

/**
 * True if both sides removed the same item and one side added an item that the other side did not add. The
 * added item may be an edited form of the removed item.
 */
function isEditedTwice(base: Keys, ours: Keys, theirs: Keys): boolean {
  const isGone = [...base.keys()].some((key) => !ours.has(key) && !theirs.has(key));
  const added = (side: Keys, other: Keys) =>
    [...side.keys()].some((key) => !base.has(key) && !other.has(key));
  return isGone && (added(ours, theirs) || added(theirs, ours));
}

/**
 * Sorts the new entries of both sides by time, after the old entries, because the entries of a journal are in
 * the order of time.
 */
function sortNewEntries(items: Items, base: Items): Items {
  const old = new Set(base.map((item) => JSON.stringify(item)));
  const isOld = (item: unknown) => old.has(JSON.stringify(item));
  const timeOf = (item: unknown) => String((item as { timestamp?: unknown } | null)?.timestamp ?? "");
  const added = items.filter((item) => !isOld(item));
  return [
    ...items.filter(isOld),
    ...added.toSorted((x, y) => (timeOf(x) < timeOf(y) ? -1 : Number(timeOf(x) > timeOf(y)))),
  ];
}
