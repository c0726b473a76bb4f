import type { CanonicalText } from "./canonical-text.ts";
import {
  endOfTerminator,
  isFullWidthTerminator,
  isSentenceBoundary,
  isTerminator,
} from "./sentence-boundary.ts";
import { Uint32List } from "./uint32-list.ts";
import { endOfWhiteSpace, isWhiteSpace } from "./white-space.ts";

/** The sentences of a text, as UTF-16 offsets in parallel arrays. */
export interface Sentences {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** The index of the block of each sentence. */
  readonly blocks: Uint32Array;
}

/** The maximum length of a sentence, and therefore of a quote, in code points. */
export const maxSentencePoints = 500;
/**
 * The minimum length of a sentence. A shorter sentence is joined to the next one. For scripts with one character per
 * syllable, the minimum is half as long.
 */
const minLength = 12;
/** The approximate length, in UTF-16 units, at which a sentence that is too long is split. */
const splitLength = 400;

/** Splits a text into sentences, block by block. A sentence that is too long is split between clauses or words. */
export function findSentences({ text, blocks }: CanonicalText): Sentences {
  const [starts, ends, blockIndexes] = [new Uint32List(), new Uint32List(), new Uint32List()];
  for (let block = 0; block < blocks.length; block++) {
    const start = blocks[block] as number;
    const end = trimEnd(text, start, blocks[block + 1] ?? text.length);
    splitBlock(text, start, end, (from, to) => {
      starts.push(from);
      ends.push(to);
      blockIndexes.push(block);
    });
  }
  return {
    count: starts.length,
    starts: starts.toArray(),
    ends: ends.toArray(),
    blocks: blockIndexes.toArray(),
  };
}

type AddSentence = (from: number, to: number) => void;

/**
 * Splits a block in linear time. Every terminator is read only once, even if the text consists only of terminators.
 */
function splitBlock(text: string, start: number, end: number, add: AddSentence): void {
  let from = start;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (!isTerminator(code)) {
      at++;
      continue;
    }
    const stop = endOfTerminator(text, at, end);
    const isShort = stop - from < (isFullWidthTerminator(code) ? minLength / 2 : minLength);
    if (stop < end && (isShort || !isSentenceBoundary(text, at, stop))) at = stop;
    else {
      addSentence(text, from, stop, add);
      from = endOfWhiteSpace(text, stop, end);
      at = from;
    }
  }
  if (from < end) addSentence(text, from, end, add);
}

/** Adds a sentence. A sentence that is too long is added in several parts. */
function addSentence(text: string, start: number, end: number, add: AddSentence): void {
  let from = start;
  // A code point has one or two units, so the code points are counted only in sentences with many units.
  while (end - from > maxSentencePoints && isTooLong(text, from, end)) {
    const stop = findSplit(text, from, from + splitLength);
    const last = trimEnd(text, from, stop);
    if (last > from) add(from, last);
    from = endOfWhiteSpace(text, stop, end);
  }
  if (from < end) add(from, end);
}

function isTooLong(text: string, from: number, end: number): boolean {
  let points = 0;
  for (let at = from; at < end && points <= maxSentencePoints; at++) {
    const code = text.charCodeAt(at);
    if (code < 0xdc00 || code > 0xdfff) points++;
  }
  return points > maxSentencePoints;
}

/**
 * Returns the offset at which to split a long sentence, at most `latest`. Preferably, the split is after a clause,
 * otherwise between words, otherwise between characters.
 */
function findSplit(text: string, from: number, latest: number): number {
  let word = -1;
  for (let at = latest; at > from + splitLength / 2; at--) {
    const code = text.charCodeAt(at - 1);
    if (unspacedClauseMarks.has(code)) return at;
    if (!isWhiteSpace(code)) continue;
    if (clauseMarks.has(text.charCodeAt(at - 2))) return at;
    if (word === -1) word = at;
  }
  return word === -1 ? startOfGrapheme(text, from, latest) : word;
}

const codesOf = (characters: string) => new Set([...characters].map((each) => each.charCodeAt(0)));
/** Clause marks that need no following space, and clause marks that need one. */
const unspacedClauseMarks = codesOf(";；，：、،؛");
const clauseMarks = codesOf(",:");

const graphemes = new Intl.Segmenter(undefined, { granularity: "grapheme" });

/**
 * Returns the start of the grapheme cluster that contains an offset. Some clusters, such as flags and family emoji,
 * have many code points.
 */
function startOfGrapheme(text: string, from: number, at: number): number {
  if (isGraphemeBoundary(text.charCodeAt(at - 1), text.charCodeAt(at))) return at;
  const start = graphemes.segment(text.slice(from, at + 32)).containing(at - from)?.index ?? 0;
  if (start > 0) return from + start;
  const isLowSurrogate = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isLowSurrogate ? at - 1 : at;
}

/**
 * Returns true for two adjacent characters that are never in the same grapheme cluster. For common scripts, this check
 * replaces the slow segmenter.
 */
function isGraphemeBoundary(a: number, b: number): boolean {
  return (a < 0x300 && b < 0x300) || (isSyllable(a) && isSyllable(b));
}

/** Returns true for Chinese characters and for the syllables of Yi and Korean. */
function isSyllable(code: number): boolean {
  return (code >= 0x3400 && code <= 0xa48c) || (code >= 0xac00 && code <= 0xd7a3);
}

function trimEnd(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isWhiteSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
