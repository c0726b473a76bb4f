import { type CanonicalText, canonicalize } from "../digest/canonical-text.ts";
import { decodeText } from "./decode-text.ts";
import { type DocumentType, typeOfContent, typeOfName } from "./document-types.ts";
import { canonicalizeHtml } from "./html-to-text.ts";
import { canonicalizePdf } from "./from-pdf.ts";
import { markdownTitle } from "./titles.ts";
import { UnusableDocument } from "./unusable-document.ts";

export type { DocumentType } from "./document-types.ts";

/** A document as it was found. */
export interface RawDocument {
  readonly bytes: Uint8Array;
  /** Its name or address, for its ending. */
  readonly name: string;
  /** What its server says that it is: `text/html; charset=utf-8`. */
  readonly contentType?: string | undefined;
  /** What it is surely encoded in, whatever it says itself. */
  readonly charset?: string | undefined;
}

/** The canonical text of a document, and what it calls itself. */
export interface TitledText extends CanonicalText {
  readonly title?: string | undefined;
}

/** A document that was read. */
export interface ReadDocument extends TitledText {
  readonly type: DocumentType;
}

/** Reads a document of any kind that is known; throws an UnusableDocument that says why not. */
export async function readDocument(found: RawDocument, signal?: AbortSignal): Promise<ReadDocument> {
  signal?.throwIfAborted();
  if (found.bytes.length === 0) throw new UnusableDocument("empty", "It is empty");
  const type = documentTypeOf(found);
  const read = type === "pdf" ? await canonicalizePdf(found.bytes, { signal }) : await readText(found, type);
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
  if (isHtml) return canonicalizeHtml(text);
  const title = /\.(md|markdown)$/i.test(name) ? markdownTitle(text) : undefined;
  return { ...canonicalize(text), ...(title === undefined ? {} : { title }) };
}

/** What a document is: by its beginning where that is a PDF's, by what its server says, by its ending, by its beginning. */
export function documentTypeOf({ bytes, name, contentType = "", charset }: RawDocument): DocumentType {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  // What is known to be text is text, even where it quotes the beginning of a PDF.
  const isPdf = charset === undefined && /^\s*%PDF-/.test(head);
  return isPdf ? "pdf" : (typeOfContent(contentType) ?? typeOfName(name) ?? typeOfBeginning(head, charset));
}

/** Plain text is left alone, so a page has to begin as one. */
function typeOfBeginning(head: string, charset: string | undefined): DocumentType {
  // Something may stand before the mark of a PDF.
  if (charset === undefined && /[\r\n]%PDF-\d/.test(head)) return "pdf";
  // Marks of charsets, and the NULs of UTF-16, stand in the way.
  const page = head.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "").replaceAll("\0", "");
  return /^\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body)[\s>]/i.test(
    page.replace(/<!--.*?-->/gs, ""),
  )
    ? "html"
    : "text";
}
