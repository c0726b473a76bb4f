import {
  ContractError,
  cancelled,
  type Envelope,
  type Success,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import { toContractError } from "./unwrap.ts";

/** Where to start, and when to stop. */
export interface PagesOptions {
  /** Stop after this many pages; the last one has the cursor of the next. @default no limit */
  readonly maxPages?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The cursor to start from. @default the first page */
  readonly cursor?: string | undefined;
}

/**
 * Iterates over the pages of a list, one call for each, in order.
 *
 * A failure is thrown as a ContractError. Cursors that form a cycle, and a page with `has_more` but no
 * cursor, are an UPSTREAM_ERROR rather than an endless loop or an incomplete list.
 */
export async function* pages<T extends object = UnknownRecord>(
  call: (cursor: string | undefined) => Promise<Envelope<T>>,
  { maxPages = Number.POSITIVE_INFINITY, signal, cursor: start }: PagesOptions = {},
): AsyncGenerator<Success<T>, void, undefined> {
  const seen = new Set<string>();
  let cursor = start;
  for (let count = 1; count <= maxPages; count += 1) {
    if (signal?.aborted === true) throw cancelled("The walk through the pages was cancelled");
    if (cursor !== undefined) seen.add(cursor);
    const page = await call(cursor);
    if (!page.success) throw toContractError(page);
    yield page;
    const { pagination } = page.meta;
    if (pagination?.has_more !== true) return;
    if (count === maxPages) return;
    if (pagination.cursor === null)
      throw brokenPaging("has_more is true but cursor is null, wanted a cursor", count);
    if (seen.has(pagination.cursor))
      throw brokenPaging("its cursor is one that was followed before, wanted a new one", count);
    cursor = pagination.cursor;
  }
}

function brokenPaging(problem: string, page: number): ContractError {
  return new ContractError(`Cannot go on after page ${page}: ${problem}`, {
    errorCode: "UPSTREAM_ERROR",
    remediation: "This is a fault of the server's paging; report it to its author.",
    details: { page },
  });
}
