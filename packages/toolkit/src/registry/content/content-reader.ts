import {
  type Pagination,
  successResponse,
  toEnvelopeV1,
  toResponseV1,
  type UnknownRecord,
} from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor } from "@foundry-mcp/contract/paging";
import type { ContentArchive, ContentEntry } from "../../archive/content-archive.ts";
import type { Context } from "../../context/context.ts";
import type { CodePointText } from "./code-point-text.ts";
import { type ContentNames, findEntry } from "./content-names.ts";
import { type OpenContent, openContent } from "./open-content.ts";
import { findPageEnd } from "./page-end.ts";

/** What every page says of the content it belongs to. */
interface About {
  readonly archive_id: string;
  readonly hash: string;
  readonly content_type: OpenContent["type"];
  readonly size: number;
}

/** One page of content. */
export interface ContentPage extends About {
  readonly items?: readonly unknown[];
  readonly text?: string;
  readonly total_chars?: number;
  readonly offset?: number;
}

/** Gives content back, page by page. */
export class ContentReader {
  readonly #archive: ContentArchive;
  readonly #countTokens: TokenCounter;
  /** What was asked for last, while there is room for it: its next page is what is asked for next. */
  #last: { readonly key: string; readonly content: WeakRef<OpenContent> } | undefined;

  constructor(archive: ContentArchive, countTokens: TokenCounter) {
    this.#archive = archive;
    this.#countTokens = countTokens;
  }

  async get(names: ContentNames, context: Context): Promise<ContentPage> {
    const query: CursorQuery = { tool: context.tool, action: context.action, filters: names };
    const { hash, offset } = readPlace(query, context.page.cursor);
    // By the next page a name may stand for other content; the cursor knows which it was.
    const entry = await findEntry(this.#archive, context.principal, hash === undefined ? names : { hash });
    const content = await this.#open(entry, names.content_id);
    const length = content.items === undefined ? content.text.length : content.items.length;
    if (offset > length) throw invalidCursor("it lies behind the end");
    const about = {
      archive_id: entry.archiveId,
      hash: entry.hash,
      content_type: content.type,
      size: entry.size,
    };
    const toPagination = (count: number): Pagination => {
      const end = offset + count;
      const cursor = end < length ? encodeCursor(query, { kind: "key", key: [entry.hash, end] }) : null;
      return { cursor, has_more: end < length, total_count: length, page_size: count };
    };
    if (content.items === undefined)
      return this.#pageText(content.text, offset, about, toPagination, context);
    const items = content.items.slice(offset, offset + context.page.limit);
    context.page.tell(toPagination(items.length), (count) => toPagination(count).cursor ?? "");
    return { ...about, items };
  }

  /** Text is cut here, for the budget step knows only how to shorten lists. */
  #pageText(
    content: CodePointText,
    offset: number,
    about: About,
    toPagination: (count: number) => Pagination,
    { page, maxTokens, requestId }: Context,
  ): ContentPage {
    const { text, length } = content;
    const start = content.unitAt(offset);
    const last = content.unitAt(offset + page.limit);
    const toPage = (piece: string) => ({ ...about, total_chars: length, offset, text: piece });
    // The longest cursor there can be on this page.
    const bareTokens = this.#countBare(toPage(""), toPagination(Math.max(0, length - offset - 1)), requestId);
    const end = findPageEnd(text, start, last, { maxTokens, bareTokens, countTokens: this.#countTokens });
    page.tell(toPagination(content.countBetween(start, end)));
    return toPage(text.slice(start, end));
  }

  /** What an answer takes before any text is in it, in the dialect that takes most. */
  #countBare(data: UnknownRecord, pagination: Pagination, requestId: string): number {
    const envelope = successResponse(data, { requestId, pagination, telemetry: { duration_ms: 99_999.999 } });
    const forms = [envelope, toEnvelopeV1(envelope, identity), toResponseV1(envelope)];
    return Math.max(
      ...forms.map((form) => this.#countTokens(JSON.stringify(form), Number.POSITIVE_INFINITY)),
    );
  }

  async #open(entry: ContentEntry, contentId: string | undefined): Promise<OpenContent> {
    const key = JSON.stringify([entry.hash, contentId]);
    const known = this.#last?.key === key ? this.#last.content.deref() : undefined;
    if (known !== undefined) return known;
    const content = openContent(await this.#archive.read(entry), contentId);
    this.#last = { key, content: new WeakRef(content) };
    return content;
  }
}

/** Of the tool itself, with the longest tier there is. */
const identity = {
  tier: "enterprise",
  toolId: "content",
  toolVersion: "1.0.0",
  capabilities: ["response-v2", "envelope-v1", "response-v1"],
} as const;

/** Where a page begins, and in which content; the first page of whatever the caller names has no cursor. */
function readPlace(query: CursorQuery, cursor: string | undefined): { hash?: string; offset: number } {
  if (cursor === undefined) return { offset: 0 };
  const place = decodeCursor(query, cursor);
  if (place.kind === "offset") return { offset: place.offset };
  if (place.kind === "sibling") throw invalidCursor("it belongs to another query");
  const [hash, offset] = place.key;
  const isPlace = typeof hash === "string" && Number.isSafeInteger(offset) && Number(offset) >= 0;
  if (!isPlace) throw invalidCursor("it names no place");
  return { hash, offset: Number(offset) };
}
