import { contentHashOf } from "@foundry-mcp/toolkit/archive";
import { type DigestOptions, digestText, type TextDigest } from "../digest/digest-text.ts";
import type { DocumentType } from "./document-types.ts";
import { type RawDocument, readDocument } from "./read-document.ts";

/** A document with its digest. */
export interface DigestedDocument extends TextDigest {
  readonly type: DocumentType;
  /** The canonical text in UTF-8. */
  readonly text: Uint8Array;
  /** `sha256:` and the hash of the canonical text. */
  readonly hash: string;
  /** The UTF-16 offsets in the canonical text at which pages begin. */
  readonly pages?: readonly number[] | undefined;
  /** The title that the document declares. */
  readonly title?: string | undefined;
}

/** Reads and digests a document. Throws an UnusableDocument if the document cannot be read. */
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

/** Returns bytes that can be transferred to another thread, which requires that they fill their whole buffer. */
export function toTransferable(bytes: Uint8Array): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = bytes;
  return buffer instanceof ArrayBuffer && buffer.byteLength === byteLength
    ? new Uint8Array(buffer)
    : Uint8Array.from(bytes);
}
