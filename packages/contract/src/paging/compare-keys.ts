import type { KeyPart } from "./cursor.ts";

/** The direction of one part of a sort key. */
export type SortDirection = "asc" | "desc";

/**
 * Compares two sort keys part by part: null, then false and true, then numbers, then strings by code
 * unit. Sort the source with it and the pages agree with the list.
 */
export function compareKeys(
  a: readonly KeyPart[],
  b: readonly KeyPart[],
  order: readonly SortDirection[] = [],
): number {
  const length = Math.max(a.length, b.length);
  for (let index = 0; index < length; index++) {
    const difference = compareParts(a[index] ?? null, b[index] ?? null);
    if (difference !== 0) return order[index] === "desc" ? -difference : difference;
  }
  return 0;
}

function compareParts(a: KeyPart, b: KeyPart): number {
  if (a === b) return 0;
  const byType = rank(a) - rank(b);
  if (byType !== 0) return byType;
  return (a as string) < (b as string) ? -1 : 1;
}

function rank(part: KeyPart): number {
  if (part === null) return 0;
  return typeof part === "boolean" ? 1 : typeof part === "number" ? 2 : 3;
}
