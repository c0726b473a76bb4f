import { createHash } from "node:crypto";
import { ContractError, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import { estimateTokens } from "@foundry-mcp/contract/budget";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor } from "@foundry-mcp/contract/paging";
import type { Context } from "@foundry-mcp/toolkit";
import type { ContentArchive } from "@foundry-mcp/toolkit/archive";

/** The estimated number of tokens of an envelope without its data, rounded up. */
const envelopeTokens = 400;

/** A payload with a list that can be divided into pages. */
interface PagedPayload {
  readonly data: UnknownRecord;
  readonly key: string;
  readonly rows: readonly unknown[];
}

/**
 * Splits the long list of an answer into pages for upstreams that have no paging. The complete answer is stored in the
 * archive. A cursor contains the hash of the stored answer and the index of the next row.
 */
export class AnswerPager {
  readonly #archive: ContentArchive;
  /** The answer that was read last, cached because the next request probably continues the same list. */
  #last: { readonly key: string; readonly data: WeakRef<UnknownRecord> } | undefined;

  constructor(archive: ContentArchive) {
    this.#archive = archive;
  }

  /** Returns the page that a cursor points to. The page comes from the archive, so the upstream is not called. */
  async next(cursor: string, query: UnknownRecord, context: Context): Promise<UnknownRecord> {
    const place = toQuery(query, context);
    const position = decodeCursor(place, cursor);
    if (position.kind !== "key") throw invalidCursor("it belongs to another query");
    const [hash, offset, key] = position.key;
    if (typeof hash !== "string" || typeof key !== "string" || !Number.isSafeInteger(offset))
      throw invalidCursor("it contains no position");
    const data = await this.#read(hash, context);
    const rows = Object.hasOwn(data, key) ? data[key] : undefined;
    if (!Array.isArray(rows) || Number(offset) > rows.length) throw invalidCursor("it is beyond the end");
    return toPage({ data, key, rows }, Number(offset), hash, place, context);
  }

  /**
   * Returns the payload unchanged, or its first page if the caller set a limit or the payload exceeds the token budget.
   * A payload without a list is returned unchanged. `exceptKey` names a list that is not paged, because it describes
   * the content blocks of the answer.
   */
  async first(
    data: UnknownRecord,
    query: UnknownRecord,
    context: Context,
    exceptKey?: string,
  ): Promise<UnknownRecord> {
    const paged = findRows(data, exceptKey);
    if (paged === undefined) return data;
    const { page, maxTokens } = context;
    const isLimited = page.limit < paged.rows.length;
    const text = isLimited || maxTokens > 0 ? JSON.stringify(data) : "";
    if (!isLimited && (maxTokens === 0 || isWithin(text, maxTokens - envelopeTokens))) {
      const count = paged.rows.length;
      page.tell({ cursor: null, has_more: false, total_count: count, page_size: count });
      return data;
    }
    const bytes = Buffer.from(text);
    const hash = `sha256:${createHash("sha256").update(bytes).digest("hex")}`;
    const { principal, tool, requestId } = context;
    try {
      await this.#archive.put({ principal, bytes, hash, tool, requestId, contentIds: [] });
    } catch (err) {
      // Without a stored copy there can be no next page, so the whole answer is returned. The dispatch then reduces it
      // to the token budget.
      context.logger.warn({ err }, "archive");
      return data;
    }
    return toPage(paged, 0, hash, toQuery(query, context), context);
  }

  async #read(hash: string, { principal }: Context): Promise<UnknownRecord> {
    const key = `${principal}\0${hash}`;
    const known = this.#last?.key === key ? this.#last.data.deref() : undefined;
    if (known !== undefined) return known;
    const entry = await this.#archive.find(principal, { hash });
    if (entry === undefined) throw expired();
    const data = parseJsonText(Buffer.from(await this.#archive.read(entry)).toString("utf8"));
    if (!isRecord(data)) throw invalidCursor("it belongs to another query");
    this.#last = { key, data: new WeakRef(data) };
    return data;
  }
}

/**
 * Returns true if a text has at most `maxTokens` tokens. A short text is not counted, because every token has at least
 * one byte.
 */
function isWithin(text: string, maxTokens: number): boolean {
  return Buffer.byteLength(text) <= maxTokens || estimateTokens(text, maxTokens) <= maxTokens;
}

/** Finds the list to page: the longest list among the members of the payload that has at least two items. */
function findRows(data: UnknownRecord, exceptKey: string | undefined): PagedPayload | undefined {
  let found: PagedPayload | undefined;
  for (const [key, rows] of Object.entries(data)) {
    if (key === exceptKey) continue;
    if (!Array.isArray(rows) || rows.length < 2 || rows.length <= (found?.rows.length ?? 0)) continue;
    found = { data, key, rows };
  }
  return found;
}

function toQuery(args: UnknownRecord, { tool }: Context): CursorQuery {
  return { tool, filters: args };
}

function toPage(
  { data, key, rows }: PagedPayload,
  offset: number,
  hash: string,
  query: CursorQuery,
  { page, maxTokens }: Context,
): UnknownRecord {
  const kept = rows.slice(offset, offset + Math.min(page.limit, countFitting(rows, offset, maxTokens)));
  const cursorAt = (end: number) => encodeCursor(query, { kind: "key", key: [hash, end, key] });
  const end = offset + kept.length;
  const hasMore = end < rows.length;
  page.tell(
    {
      cursor: hasMore ? cursorAt(end) : null,
      has_more: hasMore,
      total_count: rows.length,
      page_size: kept.length,
    },
    (count) => cursorAt(offset + count),
    key,
  );
  return { ...data, [key]: kept };
}

/** The assumed maximum number of characters per token, which ordinary text does not exceed. */
const maxCharsPerToken = 8;

/**
 * Counts how many rows from an offset may fit the token budget; at least one. The exact budget is applied later.
 * Without this estimate, every page would first serialize all remaining rows.
 */
function countFitting(rows: readonly unknown[], offset: number, maxTokens: number): number {
  if (maxTokens === 0) return rows.length;
  let chars = 0;
  let end = offset;
  while (end < rows.length && (end === offset || chars <= maxTokens * maxCharsPerToken)) {
    chars += JSON.stringify(rows[end])?.length ?? 0;
    end += 1;
  }
  return Math.max(1, end - offset);
}

function expired(): ContractError {
  return new ContractError("Cannot continue the list: its stored answer has expired", {
    errorCode: "CONTENT_NOT_FOUND",
    remediation: "Call again without cursor to start from the first page.",
    details: { field: "cursor" },
  });
}
