import { setOwn } from "../json/json-value.ts";
import { type Meta, reservedMetaKeys } from "./envelope.ts";

/** True when the keys of an object that are in the list have its order. */
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

/** True when the reserved keys of `meta` are in their order. */
export function isMetaOrdered(meta: object): boolean {
  return isOrderedBy(reservedMetaKeys, meta);
}

/**
 * Returns `meta` with its reserved keys first, in their order, and without reserved keys that are null;
 * the same object when nothing changes.
 */
export function orderMeta(meta: Meta): Meta {
  if (isMetaOrdered(meta) && reservedMetaKeys.every((key) => meta[key] !== null)) return meta;
  const ordered: Record<string, unknown> = {};
  for (const key of reservedMetaKeys)
    if (Object.hasOwn(meta, key) && meta[key] !== null) ordered[key] = meta[key];
  for (const key of Object.keys(meta)) {
    if (!(reservedMetaKeys as readonly string[]).includes(key)) setOwn(ordered, key, meta[key]);
  }
  return ordered as unknown as Meta;
}
