import type { CanonicalText } from "./canonical-text.ts";
import { cutSentence } from "./cut-sentence.ts";
import { NumberList } from "./number-list.ts";
import { canStop, endOfStop, isStop, isWide } from "./sentence-boundary.ts";
import { isWhiteSpace } from "./white-space.ts";

/** Sentences of a text as pairs of places, in UTF-16 units: where they begin and where they end. */
export interface Sentences {
  readonly count: number;
  readonly starts: Uint32Array;
  readonly ends: Uint32Array;
  /** Which block each is in. */
  readonly blocks: Uint32Array;
}

/** No quote is longer, in code points. */
export const mostPoints = 500;
/** Less than this is no sentence by itself; where a character is a syllable, half of it. */
const fewest = 12;

/** Divides a text into sentences, block by block; one that is too long for a quote is cut between clauses or words. */
export function findSentences({ text, blocks }: CanonicalText): Sentences {
  const [starts, ends, places] = [new NumberList(), new NumberList(), new NumberList()];
  for (let block = 0; block < blocks.length; block++) {
    const start = blocks[block] as number;
    const end = endOfText(text, start, blocks[block + 1] ?? text.length);
    divide(text, start, end, (from, to) => {
      starts.push(from);
      ends.push(to);
      places.push(block);
    });
  }
  return { count: starts.length, starts: starts.toArray(), ends: ends.toArray(), blocks: places.toArray() };
}

/** Divides a block: each mark is looked at once, so that a million of them take no longer than a million letters. */
function divide(text: string, start: number, end: number, add: (from: number, to: number) => void): void {
  let from = start;
  let at = start;
  while (at < end) {
    const code = text.charCodeAt(at);
    if (!canStop(code)) {
      at++;
      continue;
    }
    const stop = endOfStop(text, at, end);
    const isShort = stop - from < (isWide(code) ? fewest / 2 : fewest);
    if (stop < end && (isShort || !isStop(text, at, stop))) at = stop;
    else {
      cutSentence(text, from, stop, mostPoints, add);
      from = startOfText(text, stop, end);
      at = from;
    }
  }
  if (from < end) cutSentence(text, from, end, mostPoints, add);
}

function startOfText(text: string, start: number, end: number): number {
  let at = start;
  while (at < end && isWhiteSpace(text.charCodeAt(at))) at++;
  return at;
}

function endOfText(text: string, start: number, end: number): number {
  let at = end;
  while (at > start && isWhiteSpace(text.charCodeAt(at - 1))) at--;
  return at;
}
