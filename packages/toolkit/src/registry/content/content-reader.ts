import {
  type Pagination,
  successResponse,
  toEnvelopeV1,
  toResponseV1,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import type { TokenCounter } from "@foundry-mcp/contract/budget";
import { type CursorQuery, decodeCursor, encodeCursor, invalidCursor } from "@foundry-mcp/contract/paging";
import type { ContentArchive, ContentEntry, ContentKey } from "../../archive/content-archive.ts";
import { contentNotFound } from "../../archive/content-failures.ts";
import type { Context } from "../../context/context.ts";
import type { CodePointText } from "./code-point-text.ts";
import { type OpenContent, openContent } from "./open-content.ts";
import { findPageEnd } from "./page-end.ts";

/** The facts about the content that every page repeats. */
interface ContentFacts {
  readonly archive_id: string;
  readonly hash: string;
  readonly content_type: OpenContent["type"];
  readonly size: number;
}

/** One page of content. */
export interface ContentPage extends ContentFacts {
  readonly items?: readonly unknown[];
  readonly text?: string;
  readonly total_chars?: number;
  readonly offset?: number;
}

/** Reads content page by page. */
export class ContentReader {
  readonly #archive: ContentArchive;
  readonly #countTokens: TokenCounter;
  /**
   * The last opened content, unless it was garbage collected. The content is cached, because the next request
   * probably reads the next page of the same content.
   */
  #last: { readonly key: string; readonly content: WeakRef<OpenContent> } | undefined;

  constructor(archive: ContentArchive, countTokens: TokenCounter) {
    this.#archive = archive;
    this.#countTokens = countTokens;
  }

  async get(names: ContentNames, context: Context): Promise<ContentPage> {
    const query: CursorQuery = { tool: context.tool, action: context.action, filters: names };
    const { hash, offset } = parsePosition(query, context.page.cursor);
    // The same name may refer to other content when the next page is read, so the cursor contains the hash.
    const entry = await findEntry(this.#archive, context.principal, hash === undefined ? names : { hash });
    const content = await this.#open(entry, names.content_id);
    const length = content.items === undefined ? content.text.length : content.items.length;
    if (offset > length) throw invalidCursor("it is beyond the end");
    const facts = {
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
      return this.#pageText(content.text, offset, facts, toPagination, context);
    const items = content.items.slice(offset, offset + context.page.limit);
    context.page.tell(toPagination(items.length), (count) => toPagination(count).cursor ?? "");
    return { ...facts, items };
  }

  /**
   * Returns one page of a text. The text is split here, because the budget step of dispatch can only shorten lists.
   */
  #pageText(
    content: CodePointText,
    offset: number,
    facts: ContentFacts,
    toPagination: (count: number) => Pagination,
    { page, maxTokens, requestId }: Context,
  ): ContentPage {
    const { text, length } = content;
    const start = content.unitAt(offset);
    const limitEnd = content.unitAt(offset + page.limit);
    const toPage = (chunk: string) => ({ ...facts, total_chars: length, offset, text: chunk });
    // The tokens are counted with the longest cursor that this page can have.
    const emptyTokens = this.#countEmpty(
      toPage(""),
      toPagination(Math.max(0, length - offset - 1)),
      requestId,
    );
    const end = findPageEnd(text, start, limitEnd, {
      maxTokens,
      emptyTokens,
      countTokens: this.#countTokens,
    });
    page.tell(toPagination(content.countBetween(start, end)));
    return toPage(text.slice(start, end));
  }

  /** Counts the tokens of a response without text, in the longest dialect. */
  #countEmpty(data: UnknownRecord, pagination: Pagination, requestId: string): number {
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

/** The identity of this tool in envelope-v1, with the longest tier name. */
const identity = {
  tier: "enterprise",
  toolId: "content",
  toolVersion: "1.0.0",
  capabilities: ["response-v2", "envelope-v1", "response-v1"],
} as const;

/**
 * Reads the start of the page and the hash of its content from the cursor; the request for the first page has no
 * cursor.
 */
function parsePosition(query: CursorQuery, cursor: string | undefined): { hash?: string; offset: number } {
  if (cursor === undefined) return { offset: 0 };
  const position = decodeCursor(query, cursor);
  if (position.kind === "offset") return { offset: position.offset };
  if (position.kind === "sibling") throw invalidCursor("it belongs to another query");
  const [hash, offset] = position.key;
  const isPosition = typeof hash === "string" && Number.isSafeInteger(offset) && Number(offset) >= 0;
  if (!isPosition) throw invalidCursor("it contains no position");
  return { hash, offset: Number(offset) };
}

/**
 * The names of content in a call; `content_id` together with one of the other names identifies a part of that content.
 */
export interface ContentNames {
  readonly archive_id?: string | undefined;
  readonly hash?: string | undefined;
  readonly content_id?: string | undefined;
}

/** Finds the entry that a caller names; throws if there is no such entry. */
export async function findEntry(
  archive: ContentArchive,
  principal: string,
  names: ContentNames,
): Promise<ContentEntry> {
  const [field, value, key] = toKey(names);
  const entry = await archive.find(principal, key);
  if (entry === undefined) throw contentNotFound(field, value);
  return entry;
}

function toKey({ archive_id, hash, content_id }: ContentNames): [field: string, value: string, ContentKey] {
  if (archive_id !== undefined && hash !== undefined) {
    throw validationError(
      { field: "hash", constraint: "exclusive", message: "hash must not be given beside archive_id" },
      { remediation: "Give either {--archive_id} or {--hash}: each names the content by itself." },
    );
  }
  if (archive_id !== undefined) return ["archive_id", archive_id, { archiveId: archive_id }];
  if (hash !== undefined) return ["hash", hash, { hash }];
  if (content_id !== undefined) return ["content_id", content_id, { contentId: content_id }];
  throw validationError(
    { field: "archive_id", constraint: "required", message: "archive_id, hash or content_id is required" },
    {
      remediation: "Give {--archive_id}, {--hash} or {--content_id}; {1} lists what is stored.",
      remedy: { tool: "content", action: "list" },
    },
  );
}
