import { setOwn } from "../json/json-value.ts";
import { type Meta, reservedMetaKeys } from "./envelope.ts";

/** True when those of an object's keys that are in the list stand in its order. */
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

/** True when the keys of `meta` stand in the order of the contract's table. */
export function isMetaOrdered(meta: object): boolean {
  return isOrderedBy(reservedMetaKeys, meta);
}

/**
 * The keys in the order of the contract's table, others last, without those that are reserved and
 * null; the same object when there is nothing to do.
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
