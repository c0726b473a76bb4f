import type { CanonicalText } from "../digest/canonical-text.ts";
import { type Heading, maxHeadings } from "../digest/outline.ts";
import type { PdfReader } from "./load-pdfjs.ts";
import { normalizeTitle } from "./titles.ts";

type PdfDocument = Awaited<ReturnType<PdfReader["getDocument"]>["promise"]>;
type OutlineItem = Awaited<ReturnType<PdfDocument["getOutline"]>>[number];

/** An entry of the outline (bookmarks) of a PDF: a title and its page, counted from 0. */
export interface OutlineEntry {
  readonly title: string;
  readonly level: number;
  readonly page: number;
}

/** The maximum number of entries that are read. */
const maxEntries = 5_000;
const maxLevel = 6;

/** Reads the outline of a PDF in reading order. Returns an empty list if the outline is missing or unreadable. */
export async function readPdfOutline(document: PdfDocument): Promise<readonly OutlineEntry[]> {
  const entries: OutlineEntry[] = [];
  try {
    const pending = toPending(await getOutline(document), 1);
    for (let next = pending.pop(); next !== undefined && entries.length < maxEntries; next = pending.pop()) {
      const { item, level } = next;
      const page = await pageOf(document, item);
      const title = normalizeTitle(String(item.title ?? ""));
      if (page !== undefined && title !== undefined) entries.push({ title, level, page });
      if (pending.length < maxEntries)
        pending.push(...toPending(item.items ?? [], Math.min(maxLevel, level + 1)));
    }
  } catch {
    // An unreadable outline is ignored, because the outline only helps to find passages.
  }
  return entries;
}

/**
 * Returns the outline, or an empty list if it is nested too deeply. pdf.js copies the outline recursively. If this
 * exhausts the stack, the promise of pdf.js never settles, and the error is an unhandled rejection.
 */
async function getOutline(document: PdfDocument): Promise<readonly OutlineItem[]> {
  let onRejection: (reason: unknown) => void = () => {};
  const isTooDeep = new Promise<readonly OutlineItem[]>((resolve, reject) => {
    onRejection = (reason) => (reason instanceof RangeError ? resolve([]) : reject(reason));
  });
  process.on("unhandledRejection", onRejection);
  try {
    return (await Promise.race([document.getOutline(), isTooDeep])) ?? [];
  } finally {
    process.off("unhandledRejection", onRejection);
  }
}

interface PendingItem {
  readonly item: OutlineItem;
  readonly level: number;
}

/** Converts items to a stack whose top is the first item. */
function toPending(items: readonly OutlineItem[], level: number): PendingItem[] {
  return items
    .slice(0, maxEntries)
    .map((item) => ({ item, level }))
    .reverse();
}

async function pageOf(document: PdfDocument, { dest }: OutlineItem): Promise<number | undefined> {
  const target = typeof dest === "string" ? await document.getDestination(dest) : dest;
  const [page] = Array.isArray(target) ? target : [];
  if (typeof page === "number") return page;
  return page === undefined || page === null ? undefined : document.getPageIndex(page);
}

/**
 * Converts the entries to headings in the text. A heading is at the place where its title occurs on the page, or at the
 * start of the page if the title does not occur.
 */
export function placeOutline(
  entries: readonly OutlineEntry[],
  { text, pages = [] }: CanonicalText,
): readonly Heading[] {
  const headings = entries.flatMap(({ title, level, page }): Heading[] => {
    const start = pages[page];
    if (start === undefined) return [];
    const found = text.slice(start, pages[page + 1] ?? text.length).indexOf(title);
    return found === -1
      ? [{ start, end: start, level, title }]
      : [{ start: start + found, end: start + found + title.length, level, title }];
  });
  return headings.toSorted((a, b) => a.start - b.start).slice(0, maxHeadings);
}
