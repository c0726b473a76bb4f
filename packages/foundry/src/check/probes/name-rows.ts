import { isRecord } from "../observe/observation.ts";
import { type RowsPath, rowsOf } from "./find-rows.ts";
import type { Walk, WalkedPage } from "./walk-pages.ts";

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
