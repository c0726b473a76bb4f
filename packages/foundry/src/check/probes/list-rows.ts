import { isRecord } from "@foundry-mcp/contract";
import type { Observation } from "../observe/observation.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

/** The keys that lead from the payload of a page to its rows. */
export type RowsPath = readonly string[];

interface Candidate {
  readonly path: RowsPath;
  /** The arrays at that path, for every page of every walk. */
  readonly walks: readonly (readonly (readonly unknown[])[])[];
  /** The number of pages on which the length of the array is equal to page_size or to the limit. */
  readonly fits: number;
}

/**
 * Finds the array that contains the rows of a list. Returns "none" if no array can contain the rows, and "several" if
 * more than one array can.
 */
export function findRows(walks: readonly Walk[]): RowsPath | "none" | "several" {
  const paths = new Map(
    walks
      .flatMap(({ pages }) => pages.flatMap((page) => arrayPathsIn(page.observation)))
      .map((path) => [JSON.stringify(path), path]),
  );
  const all = [...paths.values()].map((path) => toCandidate(path, walks));
  const [only, second] = all;
  if (only === undefined) return "none";
  if (second === undefined) return only.path;
  // An array that is the same on every page describes the list and is not paged.
  const changing = all.filter((candidate) => !isSameEverywhere(candidate));
  const rest = changing.length === 0 ? all : changing;
  const maxFits = Math.max(...rest.map(({ fits }) => fits));
  const fitting = rest.filter(({ fits }) => fits === maxFits);
  if (fitting.length === 1 || (maxFits > 0 && areParallel(fitting)))
    return (fitting.find(holdsRecords) ?? fitting[0] ?? only).path;
  return "several";
}

/** Returns the rows of a page, or an empty list if the array is missing. */
export function rowsOf({ observation }: WalkedPage, path: RowsPath): readonly unknown[] {
  let value: unknown = observation.envelope?.data;
  for (const key of path) value = isRecord(value) ? value[key] : undefined;
  return Array.isArray(value) ? value : [];
}

/** Returns the paths of the arrays in a payload and in the objects directly inside it. */
export function arrayPathsIn({ envelope }: Observation): readonly RowsPath[] {
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

/** Returns true if the array is the same on all pages, in every walk with several pages. */
function isSameEverywhere({ walks }: Candidate): boolean {
  const long = walks.filter((pages) => pages.length > 1);
  return (
    long.length > 0 && long.every((pages) => new Set(pages.map((rows) => JSON.stringify(rows))).size === 1)
  );
}

/** Returns true if the arrays have the same length on every page, so that any of them can be counted. */
function areParallel(candidates: readonly Candidate[]): boolean {
  const lengths = candidates.map(({ walks }) =>
    JSON.stringify(walks.map((pages) => pages.map((rows) => rows.length))),
  );
  return new Set(lengths).size === 1;
}

function holdsRecords({ walks }: Candidate): boolean {
  return walks.flat(2).some(isRecord);
}

/** A row of a walk with its key. */
export interface KeyedRow {
  readonly key: string;
  readonly page: WalkedPage;
}

/** A walk with its rows. */
export interface RowWalk {
  readonly walk: Walk;
  readonly rows: readonly KeyedRow[];
}

/** Defines how rows are identified. */
export interface RowKeys {
  readonly toRows: (walk: Walk) => RowWalk;
  /** True if no two rows have the same key. Otherwise, the list may contain equal rows. */
  readonly areUnique: boolean;
}

/**
 * Chooses the key of the rows. The key is their `id` if it is unique, and otherwise their whole content. `largest` is
 * the walk with the fewest pages, which is the least likely to repeat a row.
 */
export function chooseRowKey(walks: readonly Walk[], largest: Walk, path: RowsPath): RowKeys {
  const pagesOf = (walk: Walk) => walk.pages.map((page) => rowsOf(page, path));
  const isById =
    walks.every((walk) => pagesOf(walk).flat().every(hasId)) &&
    (areDistinct(pagesOf(largest).flat().map(idOf)) || walks.every((walk) => isRepeatOnly(pagesOf(walk))));
  const keyOf = isById ? idOf : toText;
  return {
    areUnique: isById || areDistinct(pagesOf(largest).flat().map(toText)),
    toRows: (walk) => ({
      walk,
      rows: walk.pages.flatMap((page) => rowsOf(page, path).map((row) => ({ key: keyOf(row), page }))),
    }),
  };
}

/**
 * Returns true if rows with equal ids are always the same row on another page. In this case, the server sent the row
 * twice.
 */
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

function areDistinct(keys: readonly string[]): boolean {
  return new Set(keys).size === keys.length;
}

/**
 * Returns true if a row has an `id`. Other keys such as `owner_id` are not used, because they may have the same value
 * in many rows.
 */
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
