/** What a document is. */
export type DocumentType = "text" | "html" | "pdf";

/** What files are, by the ends of their names. */
export const typesByEnding: Readonly<Record<string, DocumentType>> = {
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

/** What a file is by its name; undefined for what is no document by its name. */
export function typeOfName(name: string): DocumentType | undefined {
  const ending = /\.([a-z]+)$/i.exec(name.slice(-20))?.[1]?.toLowerCase() ?? "";
  return Object.hasOwn(typesByEnding, ending) ? typesByEnding[ending] : undefined;
}

/** What a document is by what its server says; undefined where that says nothing. */
export function typeOfContent(contentType: string): DocumentType | undefined {
  const [kind = ""] = contentType.split(";", 1);
  const name = kind.trim().toLowerCase();
  if (name === "text/html" || name === "application/xhtml+xml") return "html";
  if (name === "application/pdf" || name === "application/x-pdf") return "pdf";
  return name.startsWith("text/") ? "text" : undefined;
}
