import type { DigestPayload } from "@foundry-mcp/contract/digest";
import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { type DigestOptions, digestText } from "../digest/digest-text.ts";
import type { QueryCounts } from "../digest/query-postings.ts";
import { type DocumentType, type RawDocument, readDocument } from "./read-document.ts";

/** What came of a document. */
export interface DigestedDocument {
  readonly type: DocumentType;
  /** The canonical text in UTF-8. */
  readonly text: Uint8Array;
  /** `sha256:` and the hash of the canonical text. */
  readonly hash: string;
  /** Of the canonical text, in code points. */
  readonly chars: number;
  /** Null where the text is too short for a digest that is shorter. */
  readonly digest: DigestPayload | null;
  /** False where the text has no word of the query. */
  readonly isMatch: boolean;
  /** How often the text has the words of the query, where there is one. */
  readonly queryCounts?: QueryCounts | undefined;
  /** Where its pages begin, in UTF-16 units of the canonical text. */
  readonly pages?: readonly number[] | undefined;
  /** What the document calls itself. */
  readonly title?: string | undefined;
  /** What a model is to read, where that was asked for. */
  readonly passages?: string | undefined;
}

/** Reads a document and digests it; throws an UnusableDocument where it cannot be read. */
export async function digestDocument(
  document: RawDocument,
  options: DigestOptions,
  signal?: AbortSignal,
): Promise<DigestedDocument> {
  const { type, title, ...canonical } = await readDocument(document, signal);
  const text = Buffer.from(canonical.text);
  const hash = contentHashOf(text);
  return { type, title, pages: canonical.pages, text, hash, ...digestText(canonical, hash, options) };
}
