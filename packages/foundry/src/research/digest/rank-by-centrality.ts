import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";
import { createTermBuffer, readTerms } from "./terms.ts";
import { Uint32List } from "./uint32-list.ts";

/** The maximum number of hash buckets for term counts. A few collisions do not change the ranking. */
const maxBuckets = 2 ** 18;
/** The weight that the first sentence gains from its position. The gain falls to 0 at the last sentence. */
const positionWeight = 0.3;
/**
 * The maximum share of the sentences in which a term may occur. More frequent terms are treated as function words.
 */
const maxSentenceShare = 0.2;

/**
 * Ranks the sentences of a text without a query. A sentence ranks high if it shares terms with many other sentences and
 * comes early.
 */
export function rankByCentrality(text: string, sentences: Sentences): Scores {
  const matrix = readTermMatrix(text, sentences);
  const weights = toWeights(matrix);
  const { terms, ends } = matrix;
  const scores = new Float32Array(ends.length);
  let max = 0;
  for (let at = 0, index = 0; at < ends.length; at++) {
    const start = index;
    let sum = 0;
    for (; index < (ends[at] as number); index++) sum += weights[terms[index] as number] as number;
    scores[at] = (sum / (Math.sqrt(index - start) + 2)) * (1 + positionWeight / (1 + at / 4));
    max = Math.max(max, scores[at] as number);
  }
  return max === 0 ? scores : scores.map((score) => score / max);
}

/** The hashed terms of all sentences. This sparse matrix is kept in memory, because it is read twice. */
interface TermMatrix {
  /** The buckets of each sentence, one sentence after the other. Each bucket occurs once per sentence. */
  readonly terms: Uint32Array;
  /** For each sentence, the index after its last term. */
  readonly ends: Uint32Array;
  readonly buckets: number;
}

function readTermMatrix(text: string, { count, starts, ends }: Sentences): TermMatrix {
  const buffer = createTermBuffer();
  const buckets = Math.min(maxBuckets, 2 ** Math.ceil(Math.log2(text.length + 1)));
  /** For each bucket, the index of the last sentence that contains its term, plus one; 0 if there is none yet. */
  const seen = new Uint32Array(buckets);
  // No text has more terms than UTF-16 units.
  const terms = new Uint32List(text.length);
  const rowEnds = new Uint32Array(count);
  for (let at = 0; at < count; at++) {
    const length = readTerms(text, starts[at] as number, ends[at] as number, buffer);
    for (let index = 0; index < length; index++) {
      const term = (buffer[index] as number) % buckets;
      if (seen[term] === at + 1) continue;
      seen[term] = at + 1;
      terms.push(term);
    }
    rowEnds[at] = terms.length;
  }
  return { terms: terms.toArray(), ends: rowEnds, buckets };
}

function toWeights({ terms, ends, buckets }: TermMatrix): Float64Array {
  const counts = new Float64Array(buckets);
  for (const term of terms) counts[term] = (counts[term] as number) + 1;
  return counts.map((count) => toWeight(count, ends.length));
}

/**
 * Returns the weight of a term. A term in several sentences indicates the subject of the text. A term in only one
 * sentence says nothing about the subject, and a term in very many sentences is a function word.
 */
function toWeight(count: number, sentences: number): number {
  if (count < 2) return 1e-4;
  const share = count / sentences;
  return share < maxSentenceShare ? Math.sqrt(share) : 0.1;
}
