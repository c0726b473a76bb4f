import type { KeyedRow, RowWalk } from "./list-rows.ts";

/** Returns the first row whose key occurred before. */
export function findDuplicate({ rows }: RowWalk): KeyedRow | undefined {
  const seen = new Set<string>();
  return rows.find(({ key }) => seen.size === seen.add(key).size);
}

/**
 * Returns a row of the other walk that is missing in this walk, with the page on which the row was expected.
 * `wasThere` returns true if a row existed during both walks.
 */
export function findMissing(
  own: RowWalk,
  other: RowWalk,
  wasThere: (key: string) => boolean = () => true,
): KeyedRow | undefined {
  const keys = new Set(own.rows.map(({ key }) => key));
  const reached = own.walk.end === "complete" ? other.rows : other.rows.slice(0, lastCommon(own, other) + 1);
  const at = reached.findIndex(({ key }) => !keys.has(key) && wasThere(key));
  const missing = reached[at];
  if (missing === undefined) return undefined;
  const next = reached.slice(at + 1).find(({ key }) => keys.has(key))?.key;
  const page = own.rows.find(({ key }) => key === next)?.page ?? own.walk.pages.at(-1) ?? missing.page;
  return { key: missing.key, page };
}

/**
 * Returns a row that occurs more often than in the other walk. This function is for lists that may contain equal
 * rows.
 */
export function findSurplus(own: RowWalk, other: RowWalk): KeyedRow | undefined {
  const counts = new Map<string, number>();
  for (const { key } of other.rows) counts.set(key, (counts.get(key) ?? 0) + 1);
  return own.rows.find(({ key }) => {
    const left = counts.get(key) ?? 0;
    counts.set(key, left - 1);
    return left === 0;
  });
}

/** Returns true if the rows that both walks have in common are in the same order. */
export function haveSameOrder(own: RowWalk, other: RowWalk): boolean {
  const positions = positionsOf(other);
  const common = [...new Set(own.rows.map(({ key }) => key))]
    .map((key) => positions.get(key))
    .filter((position) => position !== undefined);
  return common.every((position, index) => index === 0 || position > (common[index - 1] ?? -1));
}

/** Returns true if both walks have the same rows up to the end of the shorter walk. */
export function haveSameStart(own: RowWalk, other: RowWalk): boolean {
  const length = Math.min(own.rows.length, other.rows.length);
  const areComplete = own.walk.end === "complete" && other.walk.end === "complete";
  if (areComplete && own.rows.length !== other.rows.length) return false;
  return own.rows.slice(0, length).every(({ key }, index) => key === other.rows[index]?.key);
}

function lastCommon(own: RowWalk, other: RowWalk): number {
  const positions = positionsOf(other);
  return Math.max(-1, ...own.rows.map(({ key }) => positions.get(key) ?? -1));
}

function positionsOf({ rows }: RowWalk): ReadonlyMap<string, number> {
  return new Map(rows.map(({ key }, index) => [key, index] as const).toReversed());
}
