import type { ListOutcome, Parameter } from "./good-tool.ts";
import { toHash } from "./handbook.ts";
import type { Json } from "./rpc.ts";

const defaultLimit = 3;

/** What every list takes that pages. */
export const pagingParameters: Readonly<Record<string, Parameter>> = {
  limit: { type: "integer", description: "Rows per page", minimum: 1, maximum: 20, default: defaultLimit },
  cursor: { type: "string", description: "meta.pagination.cursor of the page before" },
};

/** A limit that was given, or the default. */
export function toLimit(limit: unknown): number {
  // A limit below 1 comes this far only in the server that clamps it.
  return typeof limit === "number" ? Math.max(1, limit) : defaultLimit;
}

/** Which rows a page holds, and with which the next one begins; null for none. */
export interface PagePlan {
  readonly start: number;
  readonly end: number;
  readonly next: number | null;
}

/** The page that begins with a row. */
export function planPage({ rows, limit }: ListOutcome, start: number): PagePlan {
  const end = Math.min(start + limit, rows.length);
  return { start, end, next: end < rows.length ? end : null };
}

/** The row that a cursor leads to; undefined of what is no cursor of this list. */
export function readCursor({ rows, cursor }: ListOutcome, list: string): number | undefined {
  if (cursor === undefined) return 0;
  const index = rows.findIndex((row) => toCursor(list, String(row["id"])) === cursor);
  return index === -1 ? undefined : index + 1;
}

/** The payload and the pagination of a page. */
export function toPage({ rows, under }: ListOutcome, { start, end, next }: PagePlan, list: string) {
  const page = rows.slice(start, end);
  const before = next === null ? undefined : rows[next - 1];
  const pagination: Json = {
    cursor: before === undefined ? null : toCursor(list, String(before["id"])),
    has_more: before !== undefined,
    total_count: rows.length,
    page_size: page.length,
  };
  return { data: { [under]: page } as Json, pagination };
}

/** A cursor names list and row, with a sum over both: an altered one is no cursor. */
function toCursor(list: string, after: string): string {
  const sum = toHash(`${list} ${after}`).slice("sha256:".length, "sha256:".length + 8);
  return Buffer.from(JSON.stringify([list, after, sum])).toString("base64url");
}
