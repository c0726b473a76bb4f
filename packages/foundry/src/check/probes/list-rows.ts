import { isRecord } from "@foundry-mcp/contract";
import type { Observation } from "../observe/observation.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** Where the rows of a list stand in the payload of its pages. */
export type RowsPath = readonly string[];

interface Candidate {
  readonly path: RowsPath;
  /** What stands there, for each page of each walk. */
  readonly walks: readonly (readonly (readonly unknown[])[])[];
  /** On how many pages it is as long as the page says, or as was asked for. */
  readonly fits: number;
}

/** Finds the rows of a list in what its pages hold; a text where that cannot be told. */
export function findRows(walks: readonly Walk[]): RowsPath | "none" | "several" {
  const paths = new Map(
    walks
      .flatMap(({ pages }) => pages.flatMap((page) => listsIn(page.observation)))
      .map((path) => [JSON.stringify(path), path]),
  );
  const all = [...paths.values()].map((path) => toCandidate(path, walks));
  const [only, second] = all;
  if (only === undefined) return "none";
  if (second === undefined) return only.path;
  // What is the same on every page says something of the list; it is not what is paged.
  const changing = all.filter((candidate) => !isSameEverywhere(candidate));
  const rest = changing.length === 0 ? all : changing;
  const most = Math.max(...rest.map(({ fits }) => fits));
  const fitting = rest.filter(({ fits }) => fits === most);
  if (fitting.length === 1 || (most > 0 && areParallel(fitting)))
    return (fitting.find(holdsRecords) ?? fitting[0] ?? only).path;
  return "several";
}

/** The rows of a page; what is left out where it would be empty is empty. */
export function rowsOf({ observation }: WalkedPage, path: RowsPath): readonly unknown[] {
  let value: unknown = observation.envelope?.data;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** Where lists stand in a payload: in it, and in the objects that stand in it. */
export function listsIn({ envelope }: Observation): readonly RowsPath[] {
  const data: unknown = envelope?.data;
  return Object.entries(isRecord(data) ? data : {}).flatMap(([key, value]) => {
    if (Array.isArray(value)) return [[key]];
    const inner = Object.entries(isRecord(value) ? value : {});
    return inner.filter(([, each]) => Array.isArray(each)).map(([name]) => [key, name]);
  });
}

function toCandidate(path: RowsPath, walks: readonly Walk[]): Candidate {
  const fits = walks.flatMap(({ pages, limit }) =>
    pages.filter((page) => {
      const { page_size: size, has_more: hasMore } = page.pagination;
      const { length } = rowsOf(page, path);
      return length === size || (hasMore && length === limit);
    }),
  );
  return {
    path,
    fits: fits.length,
    walks: walks.map(({ pages }) => pages.map((page) => rowsOf(page, path))),
  };
}

/** True of a list that is alike on all pages of a walk that has several, in every such walk. */
function isSameEverywhere({ walks }: Candidate): boolean {
  const long = walks.filter((pages) => pages.length > 1);
  return (
    long.length > 0 && long.every((pages) => new Set(pages.map((rows) => JSON.stringify(rows))).size === 1)
  );
}

/** True of lists that are as long as each other on every page: one of them stands for all. */
function areParallel(candidates: readonly Candidate[]): boolean {
  const lengths = candidates.map(({ walks }) =>
    JSON.stringify(walks.map((pages) => pages.map((rows) => rows.length))),
  );
  return new Set(lengths).size === 1;
}

function holdsRecords({ walks }: Candidate): boolean {
  return walks.flat(2).some(isRecord);
}

/** A row as it came on the way, under the name by which it is told from others. */
export interface SeenRow {
  readonly name: string;
  readonly page: WalkedPage;
}

/** A walk with the rows that came. */
export interface RowWalk {
  readonly walk: Walk;
  readonly rows: readonly SeenRow[];
}

/** How rows are told apart. */
export interface Naming {
  readonly toRows: (walk: Walk) => RowWalk;
  /** True where two rows never have the same name; else rows may be alike and still be two. */
  readonly areUnique: boolean;
}

/**
 * Chooses how the rows of a list are told apart: by their `id` where that names one row, else by all that
 * they hold. `largest` is the walk with the fewest pages, which has the fewest chances to repeat a row.
 */
export function nameRows(walks: readonly Walk[], largest: Walk, path: RowsPath): Naming {
  const pagesOf = (walk: Walk) => walk.pages.map((page) => rowsOf(page, path));
  const isById =
    walks.every((walk) => pagesOf(walk).flat().every(hasId)) &&
    (areDistinct(pagesOf(largest).flat().map(idOf)) || walks.every((walk) => isRepeatOnly(pagesOf(walk))));
  const nameOf = isById ? idOf : toText;
  return {
    areUnique: isById || areDistinct(pagesOf(largest).flat().map(toText)),
    toRows: (walk) => ({
      walk,
      rows: walk.pages.flatMap((page) => rowsOf(page, path).map((row) => ({ name: nameOf(row), page }))),
    }),
  };
}

/** True where the same id is only ever the same row on another page: that is a row sent twice. */
function isRepeatOnly(pages: readonly (readonly unknown[])[]): boolean {
  const known = new Map<string, string>();
  for (const rows of pages) {
    if (!areDistinct(rows.map(idOf))) return false;
    for (const row of rows) {
      const [id, text] = [idOf(row), toText(row)];
      if ((known.get(id) ?? text) !== text) return false;
      known.set(id, text);
    }
  }
  return true;
}

function areDistinct(names: readonly string[]): boolean {
  return new Set(names).size === names.length;
}

/** What ends in _id may name something else, which many rows have in common. */
function hasId(row: unknown): boolean {
  const id = isRecord(row) ? row["id"] : undefined;
  return typeof id === "string" || typeof id === "number";
}

function idOf(row: unknown): string {
  return isRecord(row) ? String(row["id"]) : toText(row);
}

function toText(row: unknown): string {
  return JSON.stringify(row) ?? "";
}
