import { readTerms } from "../digest/terms.ts";

/** Which terms stand how often in a text: the terms in their order, and their counts. */
export interface TermCounts {
  readonly terms: Uint32Array;
  readonly counts: Uint32Array;
  /** How many there are, each as often as it stands there. */
  readonly total: number;
}

/** So much of a text is read at once: a book would take as much memory again. */
const stretch = 65_536;
/** So far back a space is looked for, so that no word is cut. */
const longestWord = 200;

/** Counts the terms of a text of any length. */
export function countTerms(text: string): TermCounts {
  const buffer = new Uint32Array(stretch);
  const found = new Map<number, number>();
  let total = 0;
  for (let from = 0; from < text.length; ) {
    const end = endOf(text, from);
    const length = readTerms(text, from, end, buffer);
    for (let at = 0; at < length; at++) {
      const term = buffer[at] ?? 0;
      found.set(term, (found.get(term) ?? 0) + 1);
    }
    total += length;
    from = end;
  }
  const terms = Uint32Array.from(found.keys()).sort();
  return { terms, counts: terms.map((term) => found.get(term) ?? 0), total };
}

/** How often a term stands in a text. */
export function countOf({ terms, counts }: TermCounts, term: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? (counts[low] ?? 0) : 0;
}

function endOf(text: string, from: number): number {
  const end = Math.min(text.length, from + stretch);
  if (end === text.length) return end;
  for (let at = end; at > end - longestWord; at--) if (text.charCodeAt(at - 1) === 0x20) return at;
  return end;
}
