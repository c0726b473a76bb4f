import { NumberList } from "./number-list.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";
import { readTerms, termBuffer } from "./terms.ts";

/** Counts of terms are kept in so many places at most; that two share one now and then does no harm. */
const mostPlaces = 2 ** 18;
/** How much the beginning of a text counts more than its end. */
const positionWeight = 0.3;
/** What stands in more of the sentences than this is grammar, not the subject. */
const commonShare = 0.2;

/** Ranks sentences without a question: by how much they are about what the whole is about, and the first a little more. */
export function rankByCentrality(text: string, sentences: Sentences): Scores {
  const rows = readRows(text, sentences);
  const weights = toWeights(rows);
  const { terms, ends } = rows;
  const scores = new Float32Array(ends.length);
  let most = 0;
  for (let at = 0, place = 0; at < ends.length; at++) {
    const start = place;
    let sum = 0;
    for (; place < (ends[at] as number); place++) sum += weights[terms[place] as number] as number;
    scores[at] = (sum / (Math.sqrt(place - start) + 2)) * (1 + positionWeight / (1 + at / 4));
    most = Math.max(most, scores[at] as number);
  }
  return most === 0 ? scores : scores.map((score) => score / most);
}

/** The terms of all sentences by their places: read once, for they are needed twice. */
interface Rows {
  /** Sentence by sentence, each once for a sentence. */
  readonly terms: Uint32Array;
  /** Behind the last term of each sentence. */
  readonly ends: Uint32Array;
  /** How many places there are. */
  readonly places: number;
}

function readRows(text: string, { count, starts, ends }: Sentences): Rows {
  const buffer = termBuffer();
  const places = Math.min(mostPlaces, 2 ** Math.ceil(Math.log2(text.length + 1)));
  const seen = new Uint32Array(places);
  // A term has at least one unit.
  const terms = new NumberList(text.length);
  const behind = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const length = readTerms(text, starts[at] as number, ends[at] as number, buffer);
    for (let place = 0; place < length; place++) {
      const term = (buffer[place] as number) % places;
      if (seen[term] === at + 1) continue;
      seen[term] = at + 1;
      terms.push(term);
    }
    behind[at] = terms.length;
  }
  return { terms: terms.toArray(), ends: behind, places };
}

/** What each term is worth, by how many sentences have it. */
function toWeights({ terms, ends, places }: Rows): Float64Array {
  const frequencies = new Float64Array(places);
  for (const term of terms) frequencies[term] = (frequencies[term] as number) + 1;
  return frequencies.map((frequency) => weightOf(frequency, ends.length));
}

/** What stands in a part of the sentences is the subject; what stands in one alone is chance, and next to nothing. */
function weightOf(frequency: number, count: number): number {
  if (frequency < 2) return 1e-4;
  const share = frequency / count;
  return share < commonShare ? Math.sqrt(share) : 0.1;
}
