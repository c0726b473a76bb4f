import { setOwn } from "../json/json-value.ts";
import { type Meta, reservedMetaKeys } from "./envelope.ts";

/** True when the keys that an object and the list have in common are in the order of the list. */
export function isOrderedBy(order: readonly string[], record: object): boolean {
  let next = 0;
  for (const key in record) {
    let rank = next;
    while (rank < order.length && order[rank] !== key) rank += 1;
    if (rank < order.length) next = rank;
    else if (order.includes(key)) return false;
  }
  return true;
}

/** True when the reserved keys of `meta` are in the contract's order. */
export function isMetaOrdered(meta: object): boolean {
  return isOrderedBy(reservedMetaKeys, meta);
}

/**
 * Returns `meta` with its reserved keys first, in the contract's order, and without reserved keys that are null;
 * returns the same object if nothing changes.
 */
export function orderMeta(meta: Meta): Meta {
  if (reservedMetaKeys.every((key) => meta[key] !== null)) return orderKeys(reservedMetaKeys, meta);
  const isKept = (key: string) =>
    meta[key] !== null || !(reservedMetaKeys as readonly string[]).includes(key);
  const kept: Record<string, unknown> = {};
  for (const key of Object.keys(meta)) if (isKept(key)) setOwn(kept, key, meta[key]);
  return orderKeys(reservedMetaKeys, kept) as unknown as Meta;
}

/**
 * Returns a record with the keys of the list first, in the order of the list; returns the same object if nothing
 * changes.
 */
export function orderKeys<T extends object>(order: readonly string[], record: T): T {
  if (isOrderedBy(order, record)) return record;
  const ordered: Record<string, unknown> = {};
  for (const key of order) if (Object.hasOwn(record, key)) ordered[key] = Reflect.get(record, key);
  for (const key of Object.keys(record)) {
    if (!order.includes(key)) setOwn(ordered, key, Reflect.get(record, key));
  }
  return ordered as T;
}
