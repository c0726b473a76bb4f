import { canonicalize } from "../digest/canonical-text.ts";
import { decodeText } from "./decode-text.ts";
import { type DocumentType, documentTypeOf } from "./document-types.ts";
import { htmlToText } from "./html-to-text.ts";
import { pdfToText } from "./pdf-to-text.ts";
import { markdownTitle, type TitledText, underlinedTitleOf } from "./titles.ts";
import { UnusableDocument } from "./unusable-document.ts";

/** The bytes of a document, before it is decoded. */
export interface RawDocument {
  readonly bytes: Uint8Array;
  /** The file name or URL path. Its extension decides the type. */
  readonly name: string;
  /** The Content-Type header, such as `text/html; charset=utf-8`. */
  readonly contentType?: string | undefined;
  /** The known charset, which overrides the charset that the document declares. */
  readonly charset?: string | undefined;
}

/** A document as canonical text. */
export interface ReadDocument extends TitledText {
  readonly type: DocumentType;
}

/** Converts a document of any supported type to canonical text. Throws an UnusableDocument if that fails. */
export async function readDocument(raw: RawDocument, signal?: AbortSignal): Promise<ReadDocument> {
  signal?.throwIfAborted();
  if (raw.bytes.length === 0) throw new UnusableDocument("empty", "It is empty");
  const type = documentTypeOf(raw);
  const read = type === "pdf" ? await pdfToText(raw.bytes, { signal }) : await readText(raw, type);
  if (read.text !== "") return { ...read, type };
  const why =
    type === "pdf" ? "The PDF holds no text: are its pages pictures (scanned)?" : "It holds no text";
  throw new UnusableDocument("empty", why);
}

async function readText(
  { bytes, name, contentType, charset }: RawDocument,
  type: "text" | "html",
): Promise<TitledText> {
  const isHtml = type === "html";
  const text = decodeText(bytes, { charset, contentType, isHtml });
  if (isHtml) return htmlToText(text);
  const title = /\.(md|markdown)$/i.test(name) ? markdownTitle(text) : underlinedTitleOf(text);
  return { ...canonicalize(text), ...(title === undefined ? {} : { title }) };
}
