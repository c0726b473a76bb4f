import type { ListOutcome, Parameter } from "./good-tool.ts";
import { toHash } from "./handbook.ts";
import type { Json } from "./rpc.ts";

const defaultLimit = 3;

/** The parameters of every list with pages. */
export const pagingParameters: Readonly<Record<string, Parameter>> = {
  limit: { type: "integer", description: "Rows per page", minimum: 1, maximum: 20, default: defaultLimit },
  cursor: { type: "string", description: "meta.pagination.cursor of the page before" },
};

/** Returns the limit, or the default if none is passed. */
export function toLimit(limit: unknown): number {
  // A limit below 1 reaches this line only on the server that clamps limits.
  return typeof limit === "number" ? Math.max(1, limit) : defaultLimit;
}

/** The rows of a page, and the first row of the next page. The next row is null if there is none. */
export interface PagePlan {
  readonly start: number;
  readonly end: number;
  readonly next: number | null;
}

/** Plans the page that begins with a given row. */
export function planPage({ rows, limit }: ListOutcome, start: number): PagePlan {
  const end = Math.min(start + limit, rows.length);
  return { start, end, next: end < rows.length ? end : null };
}

/** Returns the row to which a cursor refers, or undefined if the text is not a cursor of this list. */
export function readCursor({ rows, cursor }: ListOutcome, list: string): number | undefined {
  if (cursor === undefined) return 0;
  const index = rows.findIndex((row) => toCursor(list, String(row["id"])) === cursor);
  return index === -1 ? undefined : index + 1;
}

/** Returns the payload and the pagination of a page. */
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

/** Creates a cursor from list and row, with a checksum of both, so that a modified cursor is invalid. */
function toCursor(list: string, after: string): string {
  const sum = toHash(`${list} ${after}`).slice("sha256:".length, "sha256:".length + 8);
  return Buffer.from(JSON.stringify([list, after, sum])).toString("base64url");
}
