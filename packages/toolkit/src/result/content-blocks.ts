import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";

/** The description of a content block that is not text, sent in `data` without the bytes of the block. */
export interface ContentReference {
  readonly type: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  /** The size in bytes of the block's own content or of the linked content. */
  readonly bytes?: number;
}

/** The content blocks of a result, with texts separated from other blocks. */
export interface ContentParts {
  readonly texts: readonly string[];
  /** The blocks that are not text, unmodified. */
  readonly others: readonly UnknownRecord[];
}

/** Splits content blocks into texts and other blocks; skips items that are not blocks. */
export function sortContent(content: unknown): ContentParts {
  const texts: string[] = [];
  const others: UnknownRecord[] = [];
  for (const block of Array.isArray(content) ? content : []) {
    if (!isRecord(block)) continue;
    if (block["type"] === "text" && typeof block["text"] === "string") texts.push(block["text"]);
    else others.push(block);
  }
  return { texts, others };
}

/** Describes a block by its type, location and size. */
export function toReference(block: UnknownRecord): ContentReference {
  const source = isRecord(block["resource"]) ? block["resource"] : block;
  const optional = (key: string) => (typeof source[key] === "string" ? { [key]: shorten(source[key]) } : {});
  const bytes = sizeOf(source);
  return {
    type: typeof block["type"] === "string" ? shorten(block["type"]) : "unknown",
    ...optional("mimeType"),
    ...optional("uri"),
    ...optional("name"),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** Shortens long texts, because a `data:` URL contains the bytes of the content. */
function shorten(text: string): string {
  return text.length <= 500 ? text : `${text.slice(0, 499).toWellFormed()}…`;
}

function sizeOf({ data, blob, text, size }: UnknownRecord): number | undefined {
  const base64 = typeof data === "string" ? data : blob;
  if (typeof base64 === "string") {
    const padding = base64.endsWith("==") ? 2 : base64.endsWith("=") ? 1 : 0;
    return Math.floor(((base64.length - padding) * 3) / 4);
  }
  if (typeof text === "string") return new TextEncoder().encode(text).length;
  return typeof size === "number" && size >= 0 ? size : undefined;
}
