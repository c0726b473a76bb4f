import { isLineOfItsOwn, isMarker, isNumbered } from "./markdown-blocks.ts";
import { isWhiteSpace } from "./white-space.ts";

/** A text in the one form that quotes are checked against, and how it was divided before. */
export interface CanonicalText {
  readonly text: string;
  /** Where paragraphs, headings and items begin, in UTF-16 units, in their order. */
  readonly blocks: readonly number[];
  /** Where pages begin, in UTF-16 units; undefined for what has none. */
  readonly pages?: readonly number[] | undefined;
}

/**
 * Brings a text into its canonical form: composed characters, one space for each stretch of white space, none at the
 * ends. Where there was an empty line, or a line that begins as headings and items do, a block begins.
 */
export function canonicalize(source: string): CanonicalText {
  const draft: Draft = { parts: [], blocks: [0], size: 0, isLine: false, isInList: false };
  for (let from = 0; from < source.length; ) {
    const to = endOfPart(source, from);
    addPart(source, from, to, draft);
    from = to;
  }
  return { text: draft.parts.join(""), blocks: draft.size === 0 ? [] : draft.blocks };
}

/** Texts of pages as one, each in its canonical form, two line ends between them. */
export function joinPages(sources: readonly string[]): CanonicalText {
  const pages: number[] = [];
  const blocks: number[] = [];
  const texts: string[] = [];
  let size = 0;
  for (const source of sources) {
    const page = canonicalize(source);
    pages.push(size);
    // A page without text is where the next one is.
    if (page.text === "") continue;
    for (const block of page.blocks) blocks.push(size + block);
    texts.push(page.text);
    size += page.text.length + pageBreak.length;
  }
  return { text: texts.join(pageBreak), blocks, pages };
}

const pageBreak = "\n\n";

/** What is done of a canonical text. */
interface Draft {
  readonly parts: string[];
  readonly blocks: number[];
  /** Of all parts, in UTF-16 units. */
  size: number;
  /** True where the block ends with its line. */
  isLine: boolean;
  /** True where the block is a numbered item. */
  isInList: boolean;
}

/** A text is composed in parts of about so many units: of a large one, a copy less is in memory. */
const partSize = 65_536;

/** Parts end before white space, for nothing is composed across it. */
function endOfPart(source: string, from: number): number {
  let at = from + partSize;
  while (at < source.length) {
    if (isWhiteSpace(source.charCodeAt(at)) && !isWhiteSpace(source.charCodeAt(at - 1))) return at;
    at++;
  }
  return source.length;
}

function addPart(source: string, from: number, to: number, draft: Draft): void {
  const part = source.slice(from, to);
  const composed = isAscii(part) ? part : part.toWellFormed().normalize("NFC");
  // A text by itself is read more quickly than a part of one, and most are composed already.
  if (composed === part) addSpaced(source, from, to, draft);
  else addSpaced(composed, 0, composed.length, draft);
}

/** Adds a part with one space for each stretch of white space. */
function addSpaced(text: string, start: number, end: number, draft: Draft): void {
  const pieces: string[] = [];
  let from = start;
  if (draft.size === 0) {
    from = endOfSpace(text, start, end);
    beginBlock(text, from, draft);
  }
  for (let at = from; at < end; at++) {
    const code = text.charCodeAt(at);
    if ((code > 0x20 && code < 0x7f) || !isWhiteSpace(code)) continue;
    const next = endOfSpace(text, at, end);
    if (next === end) {
      // Only the last part ends so.
      end = at;
      break;
    }
    // A single space is as it should be, and the piece goes on.
    if (code !== 0x20 || next > at + 1) {
      pieces.push(text.slice(from, at), " ");
      draft.size += at - from + 1;
      from = next;
      if (isBlock(text, at, next, draft)) {
        draft.blocks.push(draft.size);
        beginBlock(text, next, draft);
      }
    }
    at = next - 1;
  }
  pieces.push(text.slice(from, end));
  draft.size += end - from;
  draft.parts.push(pieces.join(""));
}

function endOfSpace(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

/** True where a block begins behind a stretch of white space. */
function isBlock(text: string, from: number, to: number, { isLine, isInList }: Draft): boolean {
  const lines = linesIn(text, from, to);
  return lines > 1 || (lines === 1 && (isLine || isMarker(text, to, isInList)));
}

function beginBlock(text: string, at: number, draft: Draft): void {
  draft.isLine = isLineOfItsOwn(text, at);
  draft.isInList = isNumbered(text, at);
}

/** How many lines end in a stretch of white space; the end of a page or a paragraph is more than one. */
function linesIn(text: string, from: number, to: number): number {
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
