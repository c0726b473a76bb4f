import { setOwn } from "../json/json-value.ts";
import { type Meta, reservedMetaKeys } from "./envelope.ts";

const ranks: ReadonlyMap<string, number> = new Map(reservedMetaKeys.map((key, index) => [key, index]));

/** The place of a key in the contract's table; keys that are not reserved come last. */
function rankOf(key: string): number {
  return ranks.get(key) ?? reservedMetaKeys.length;
}

/** True when the keys stand in the order of the contract's table. */
export function isMetaOrdered(meta: object): boolean {
  let next = 0;
  for (const key in meta) {
    while (next < reservedMetaKeys.length && reservedMetaKeys[next] !== key) next += 1;
    if (next === reservedMetaKeys.length && ranks.has(key)) return false;
  }
  return true;
}

/** The keys in the order of the contract's table; the same object when they are in order already. */
export function orderMeta(meta: Meta): Meta {
  if (isMetaOrdered(meta)) return meta;
  const keys = Object.keys(meta).sort((a, b) => rankOf(a) - rankOf(b));
  const ordered: Record<string, unknown> = {};
  for (const key of keys) setOwn(ordered, key, meta[key]);
  return ordered as unknown as Meta;
}
