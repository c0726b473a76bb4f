import { readTerms } from "../digest/terms.ts";

/**
 * The term frequencies of a text, with the distinct terms in ascending order and the number of their occurrences.
 */
export interface TermFrequencies {
  readonly terms: Uint32Array;
  readonly frequencies: Uint32Array;
  /** The length of the text in terms. */
  readonly total: number;
}

/** The size of the chunks in which a text is tokenized, which limits the memory needed for a book. */
const chunkSize = 65_536;
/** The maximum distance from the end of a chunk to the space at which the chunk is ended, so that no word is split. */
const maxWordLength = 200;

/** Counts the terms of a text of any length. */
export function countTerms(text: string): TermFrequencies {
  const buffer = new Uint32Array(chunkSize);
  const counts = new Map<number, number>();
  let total = 0;
  for (let from = 0; from < text.length; ) {
    const end = endOfChunk(text, from);
    const length = readTerms(text, from, end, buffer);
    for (let at = 0; at < length; at++) {
      const term = buffer[at] ?? 0;
      counts.set(term, (counts.get(term) ?? 0) + 1);
    }
    total += length;
    from = end;
  }
  const terms = Uint32Array.from(counts.keys()).sort();
  return { terms, frequencies: terms.map((term) => counts.get(term) ?? 0), total };
}

/** Returns the number of occurrences of a term. The term is found by binary search. */
export function frequencyOf({ terms, frequencies }: TermFrequencies, term: number): number {
  let low = 0;
  let high = terms.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((terms[middle] ?? 0) < term) low = middle + 1;
    else high = middle;
  }
  return terms[low] === term ? (frequencies[low] ?? 0) : 0;
}

function endOfChunk(text: string, from: number): number {
  const end = Math.min(text.length, from + chunkSize);
  if (end === text.length) return end;
  for (let at = end; at > end - maxWordLength; at--) if (text.charCodeAt(at - 1) === 0x20) return at;
  return end;
}
