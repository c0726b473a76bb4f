import type { DigestPool } from "#built/foundry/research/documents/digest-pool.js";
import { writeObjects } from "../../packages/foundry/src/research/documents/testing/write-pdf.ts";

export const levels = 100_000;
export const lists = "[".repeat(levels) + "]".repeat(levels);
export const dictionaries = `${"<</A".repeat(levels)} 1${">>".repeat(levels)}`;
export const shown = "BT /F 12 Tf 50 750 Td (Hello.) Tj ET";

/** Parts of a one-page PDF that a test replaces. */
export interface PageParts {
  /** Additional entries of the catalog, the page, its resources and the trailer. */
  readonly catalog?: string;
  readonly page?: string;
  readonly resources?: string;
  readonly trailer?: string;
  /**
   * The content stream of the page.
   * @default a stream that shows "Hello."
   */
  readonly content?: string;
  /** Additional objects. The first object is `6 0 R`. */
  readonly objects?: readonly string[];
}

/** Writes a PDF whose only page is object 3 and shows "Hello.". */
export function writePage({
  catalog = "",
  page = "",
  resources = "",
  trailer = "",
  content = shown,
  objects = [],
}: PageParts): Uint8Array {
  return writeObjects(
    [
      `<</Type/Catalog/Pages 2 0 R${catalog}>>`,
      "<</Type/Pages/Count 1/Kids[3 0 R]>>",
      `<</Type/Page/Parent 2 0 R/MediaBox[0 0 600 800]/Resources<</Font<</F 4 0 R>>${resources}>>/Contents 5 0 R${page}>>`,
      "<</Type/Font/Subtype/Type1/BaseFont/Helvetica>>",
      toStream(content),
      ...objects,
    ],
    trailer,
  );
}

/**
 * Returns one object for each level. `toObject` receives the number of the next object, or undefined for the last
 * object.
 */
export function chainFrom(first: number, toObject: (next: number | undefined) => string): readonly string[] {
  return Array.from({ length: levels }, (_, at) => toObject(at + 1 < levels ? first + at + 1 : undefined));
}

/** Writes a stream. `entries` are added to its dictionary. */
export function toStream(content: string, entries = ""): string {
  return `<</Length ${content.length}${entries}>>\nstream\n${content}\nendstream`;
}

/** Digests a PDF on a worker thread. Returns its text, or the reason of the typed failure. */
export async function readPdf(pool: DigestPool, bytes: Uint8Array): Promise<readonly [string, string]> {
  try {
    const { text } = await pool.digest({ bytes, name: "deep.pdf" }, {}, new AbortController().signal);
    return ["text", Buffer.from(text).toString()];
  } catch (thrown) {
    const { name, reason, message } = thrown as Error & { readonly reason?: string };
    if (name !== "UnusableDocument") throw thrown;
    return [reason ?? "", message];
  }
}
