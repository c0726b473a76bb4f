import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";

/** What is told of a block that is not text; the bytes themselves stay out of `data`. */
export interface ContentReference {
  readonly type: string;
  readonly mimeType?: string;
  readonly uri?: string;
  readonly name?: string;
  /** The size of what the block holds or links to. */
  readonly bytes?: number;
}

/** The content of a result, sorted. */
export interface ContentParts {
  readonly texts: readonly string[];
  /** The blocks that are not text, as they came. */
  readonly others: readonly UnknownRecord[];
}

/** Sorts content blocks; what is no block is left out. */
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

/** Describes a block in a few words: what it is, where it is, how large. */
export function toReference(block: UnknownRecord): ContentReference {
  const source = isRecord(block["resource"]) ? block["resource"] : block;
  const told = (key: string) => (typeof source[key] === "string" ? { [key]: shorten(source[key]) } : {});
  const bytes = sizeOf(source);
  return {
    type: typeof block["type"] === "string" ? shorten(block["type"]) : "unknown",
    ...told("mimeType"),
    ...told("uri"),
    ...told("name"),
    ...(bytes === undefined ? {} : { bytes }),
  };
}

/** A `data:` address would be the bytes again. */
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
