import { isHeadingOrRule, isOrderedItem, startsBlock } from "./markdown-blocks.ts";
import type { Outline } from "./outline.ts";
import { endOfWhiteSpace, isWhiteSpace } from "./white-space.ts";

/**
 * A text in canonical form, and the offsets at which the blocks and pages of the original begin. Quotes are verified
 * against the text.
 */
export interface CanonicalText {
  readonly text: string;
  /** The UTF-16 offsets at which paragraphs, headings and list items begin, ascending. */
  readonly blocks: readonly number[];
  /** The UTF-16 offsets at which pages begin. Undefined for a document without pages. */
  readonly pages?: readonly number[] | undefined;
  /**
   * The headings and page chrome that the document format declares. Undefined if the format declares none, so that
   * headings must be recognized in the text.
   */
  readonly outline?: Outline | undefined;
}

/**
 * Converts a text to canonical form: Unicode NFC, one space for each run of white space, and no white space at the
 * ends. A block begins after an empty line and at each line that starts a Markdown block.
 */
export function canonicalize(source: string): CanonicalText {
  const { text, blocks } = canonicalizeMarked(source, []);
  return { text, blocks };
}

/** A canonical text, and the new offset of each mark that was passed to `canonicalizeMarked`. */
export interface MarkedText extends CanonicalText {
  readonly marks: readonly number[];
}

/**
 * Converts a text to canonical form, and returns where the marks are afterwards. A mark is a UTF-16 offset of the
 * source at which a part of its structure, such as a heading, begins or ends. Marks must be ascending.
 */
export function canonicalizeMarked(source: string, marks: readonly number[]): MarkedText {
  const draft: Draft = { chunks: [], blocks: [0], size: 0, isSingleLine: false, isInList: false };
  const moved: number[] = [];
  for (let from = 0; from < source.length; ) {
    let mark = startOfWhiteSpace(source, marks[moved.length]);
    while (mark !== undefined && mark <= from) {
      moved.push(draft.size === 0 ? 0 : draft.size + 1);
      mark = startOfWhiteSpace(source, marks[moved.length]);
    }
    const to = endOfChunk(source, from, mark);
    addChunk(source, from, to, draft);
    from = to;
  }
  while (moved.length < marks.length) moved.push(draft.size);
  return { text: draft.chunks.join(""), blocks: draft.size === 0 ? [] : draft.blocks, marks: moved };
}

/** Moves an offset back to the start of the white space before it, so that a chunk can end there. */
function startOfWhiteSpace(source: string, offset: number | undefined): number | undefined {
  if (offset === undefined) return undefined;
  let at = offset;
  while (at > 0 && isWhiteSpace(source.charCodeAt(at - 1))) at--;
  return at;
}

/** Canonicalizes each page and joins the pages with an empty line. */
export function joinPages(sources: readonly string[]): CanonicalText {
  const pages: number[] = [];
  const blocks: number[] = [];
  const texts: string[] = [];
  let size = 0;
  for (const source of sources) {
    const page = canonicalize(source);
    pages.push(size);
    // A page without text begins at the same offset as the next page.
    if (page.text === "") continue;
    for (const block of page.blocks) blocks.push(size + block);
    texts.push(page.text);
    size += page.text.length + pageBreak.length;
  }
  return { text: texts.join(pageBreak), blocks, pages };
}

const pageBreak = "\n\n";

/** The canonical text built so far. */
interface Draft {
  readonly chunks: string[];
  readonly blocks: number[];
  /** The length of all chunks, in UTF-16 units. */
  size: number;
  /** True if the current block ends at the end of its line. */
  isSingleLine: boolean;
  /** True if the current block is an item of an ordered list. */
  isInList: boolean;
}

/**
 * The size of the chunks in which a text is normalized. Normalizing a whole book at once would need memory for a second
 * copy.
 */
const chunkSize = 65_536;

/** Returns the end of the next chunk: at a mark, or before white space. Characters never compose across white space. */
function endOfChunk(source: string, from: number, mark: number | undefined): number {
  if (mark !== undefined && mark <= from + chunkSize) return Math.min(mark, source.length);
  let at = from + chunkSize;
  while (at < source.length) {
    if (isWhiteSpace(source.charCodeAt(at)) && !isWhiteSpace(source.charCodeAt(at - 1))) return at;
    at++;
  }
  return source.length;
}

function addChunk(source: string, from: number, to: number, draft: Draft): void {
  const chunk = source.slice(from, to);
  const normalized = isAscii(chunk) ? chunk : chunk.toWellFormed().normalize("NFC");
  // Most chunks are already normalized. They are read from the source, because V8 reads a flat string faster than a
  // slice of it.
  if (normalized === chunk) addCollapsed(source, from, to, draft);
  else addCollapsed(normalized, 0, normalized.length, draft);
}

/** Adds a chunk with each run of white space collapsed to one space. */
function addCollapsed(text: string, start: number, end: number, draft: Draft): void {
  const slices: string[] = [];
  let from = start;
  if (draft.size === 0) {
    from = endOfWhiteSpace(text, start, end);
    beginBlock(text, from, draft);
  }
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if ((code > 0x20 && code < 0x7f) || !isWhiteSpace(code)) continue;
    const next = endOfWhiteSpace(text, at, end);
    if (next === end) {
      // Only the last chunk can end with white space.
      end = at;
      break;
    }
    // A single space needs no change, so the slice continues.
    if (code !== 0x20 || next > at + 1) {
      slices.push(text.slice(from, at), " ");
      draft.size += at - from + 1;
      from = next;
      if (isBlockBoundary(text, at, next, draft)) {
        draft.blocks.push(draft.size);
        beginBlock(text, next, draft);
      }
    }
    at = next - 1;
  }
  slices.push(text.slice(from, end));
  draft.size += end - from;
  draft.chunks.push(slices.join(""));
}

/** Returns true if a new block begins after this run of white space. */
function isBlockBoundary(text: string, from: number, to: number, { isSingleLine, isInList }: Draft): boolean {
  const lines = countLineEnds(text, from, to);
  return lines > 1 || (lines === 1 && (isSingleLine || startsBlock(text, to, isInList)));
}

function beginBlock(text: string, at: number, draft: Draft): void {
  draft.isSingleLine = isHeadingOrRule(text, at);
  draft.isInList = isOrderedItem(text, at);
}

/** Counts line ends. A form feed and a paragraph separator each count as two. */
function countLineEnds(text: string, from: number, to: number): number {
  let lines = 0;
  for (let at = from; at < to; at++) {
    const code = text.charCodeAt(at);
    if (code === 0x0a || code === 0x85 || code === 0x2028) lines++;
    else if (code === 0x0d && text.charCodeAt(at + 1) !== 0x0a) lines++;
    else if (code === 0x0c || code === 0x2029) lines += 2;
  }
  return lines;
}

function isAscii(text: string): boolean {
  return !/[^\0-\x7f]/.test(text);
}
