import type { RawDocument } from "./read-document.ts";

/** The kinds of documents that can be read. */
export type DocumentType = "text" | "html" | "pdf";

/** Document types by file name extension. */
export const typesByExtension: Readonly<Record<string, DocumentType>> = {
  txt: "text",
  text: "text",
  md: "text",
  markdown: "text",
  mdx: "text",
  rst: "text",
  adoc: "text",
  org: "text",
  html: "html",
  htm: "html",
  xhtml: "html",
  pdf: "pdf",
};

/** Returns the type by the extension of a file name, or undefined for an unknown extension. */
export function typeOfName(name: string): DocumentType | undefined {
  const extension = /\.([a-z]+)$/i.exec(name.slice(-20))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typesByExtension, extension) ? typesByExtension[extension] : undefined;
}

/** Returns the type by a Content-Type header, or undefined if the header names no supported type. */
function typeOfContentType(contentType: string): DocumentType | undefined {
  const [mediaType = ""] = contentType.split(";", 1);
  const name = mediaType.trim().toLowerCase();
  if (name === "text/html" || name === "application/xhtml+xml") return "html";
  if (name === "application/pdf" || name === "application/x-pdf") return "pdf";
  return name.startsWith("text/") ? "text" : undefined;
}

/** Detects the type of a document by the PDF signature, then the Content-Type, the extension and the first bytes. */
export function documentTypeOf({ bytes, name, contentType = "", charset }: RawDocument): DocumentType {
  const head = Buffer.from(bytes.subarray(0, 1_024)).toString("latin1");
  // A document with a known charset is text, even if it quotes a PDF signature.
  const isPdf = charset === undefined && /^\s*%PDF-/.test(head);
  return isPdf ? "pdf" : (typeOfContentType(contentType) ?? typeOfName(name) ?? sniffType(head, charset));
}

function sniffType(head: string, charset: string | undefined): DocumentType {
  // A PDF signature may come after other lines.
  if (charset === undefined && /[\r\n]%PDF-\d/.test(head)) return "pdf";
  // Byte order marks, and the NUL bytes of UTF-16, come before or within the first tag and are removed.
  const page = head.replace(/^(\xef\xbb\xbf|\xff\xfe|\xfe\xff)/, "").replaceAll("\0", "");
  const htmlStart = /^\s*(<\?xml[^>]*>\s*)?<(!doctype\s+html|html|head|body)[\s>]/i;
  return htmlStart.test(page.replace(/<!--.*?-->/gs, "")) ? "html" : "text";
}
