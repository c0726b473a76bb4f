import type { RowWalk, SeenRow } from "./list-rows.ts";

/** The first row that came a second time, where it did. */
export function findTwice({ rows }: RowWalk): SeenRow | undefined {
  const seen = new Set<string>();
  return rows.find(({ name }) => seen.size === seen.add(name).size);
}

/**
 * A row that the other walk has and this one passed by, on the page that it should have come before or on.
 * `isThere` says which rows were there all the time.
 */
export function findMissing(
  own: RowWalk,
  other: RowWalk,
  isThere: (name: string) => boolean = () => true,
): SeenRow | undefined {
  const names = new Set(own.rows.map(({ name }) => name));
  const reached = own.walk.end === "complete" ? other.rows : other.rows.slice(0, lastCommon(own, other) + 1);
  const at = reached.findIndex(({ name }) => !names.has(name) && isThere(name));
  const missing = reached[at];
  if (missing === undefined) return undefined;
  const next = reached.slice(at + 1).find(({ name }) => names.has(name))?.name;
  const page = own.rows.find(({ name }) => name === next)?.page ?? own.walk.pages.at(-1) ?? missing.page;
  return { name: missing.name, page };
}

/** A row that came more often than in the other walk, for rows that may be alike. */
export function findMore(own: RowWalk, other: RowWalk): SeenRow | undefined {
  const counts = new Map<string, number>();
  for (const { name } of other.rows) counts.set(name, (counts.get(name) ?? 0) + 1);
  return own.rows.find(({ name }) => {
    const left = counts.get(name) ?? 0;
    counts.set(name, left - 1);
    return left === 0;
  });
}

/** True where the rows that both walks have came in the same order. */
export function areInOrder(own: RowWalk, other: RowWalk): boolean {
  const places = placesOf(other);
  const common = [...new Set(own.rows.map(({ name }) => name))]
    .map((name) => places.get(name))
    .filter((place) => place !== undefined);
  return common.every((place, index) => index === 0 || place > (common[index - 1] ?? -1));
}

/** True where the walks begin with the same rows, as far as both of them went. */
export function areAlike(own: RowWalk, other: RowWalk): boolean {
  const length = Math.min(own.rows.length, other.rows.length);
  const areWhole = own.walk.end === "complete" && other.walk.end === "complete";
  if (areWhole && own.rows.length !== other.rows.length) return false;
  return own.rows.slice(0, length).every(({ name }, index) => name === other.rows[index]?.name);
}

function lastCommon(own: RowWalk, other: RowWalk): number {
  const places = placesOf(other);
  return Math.max(-1, ...own.rows.map(({ name }) => places.get(name) ?? -1));
}

function placesOf({ rows }: RowWalk): ReadonlyMap<string, number> {
  return new Map(rows.map(({ name }, index) => [name, index] as const).toReversed());
}
