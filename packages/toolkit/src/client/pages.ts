import {
  ContractError,
  cancelled,
  type Envelope,
  type Success,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import { toContractError } from "./unwrap.ts";

/** The start and the end of an iteration over pages. */
export interface PagesOptions {
  /** The maximum number of pages; the last page has the cursor of the next page. @default no limit */
  readonly maxPages?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  /** The cursor to start from. @default the first page */
  readonly cursor?: string | undefined;
}

/**
 * Iterates over the pages of a list in order, with one call for each page.
 *
 * A failure is thrown as a ContractError. Cursors that form a cycle would cause an endless loop, and a page with
 * `has_more` but no cursor an incomplete list; both cause an UPSTREAM_ERROR.
 */
export async function* pages<T extends object = UnknownRecord>(
  call: (cursor: string | undefined) => Promise<Envelope<T>>,
  { maxPages = Number.POSITIVE_INFINITY, signal, cursor: start }: PagesOptions = {},
): AsyncGenerator<Success<T>, void, undefined> {
  const seen = new Set<string>();
  let cursor = start;
  for (let count = 1; count <= maxPages; count += 1) {
    if (signal?.aborted === true) throw cancelled("Reading the pages was cancelled");
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
      throw brokenPaging("it returned the same cursor as an earlier page, wanted a new one", count);
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
