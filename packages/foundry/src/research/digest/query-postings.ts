import { characterTables } from "./character-tables.ts";
import type { Sentences } from "./sentences.ts";
import { TermIds } from "./term-ids.ts";
import { createTermBuffer, isolatedCharacters, readTerms, toTermSet, toUnigram } from "./terms.ts";
import { Uint32List } from "./uint32-list.ts";

/** The postings of a query: which of its terms occurs in which sentence, and how often. Most sentences have none. */
export interface QueryPostings {
  /** How many terms the query has. */
  readonly terms: number;
  /** The number of terms of each sentence. */
  readonly lengths: Uint16Array;
  /** Three parallel arrays, one entry for each posting, in the order of sentences. */
  readonly sentence: Uint32Array;
  readonly term: Uint32Array;
  /** Term frequency: how often the term occurs in the sentence. */
  readonly frequency: Uint32Array;
}

/** The document frequency (df) of each query term in a text, where a sentence counts as a document. */
export interface QueryCounts {
  readonly sentences: number;
  readonly counts: readonly number[];
}

/** Counts in how many sentences each query term occurs. */
export function countSentences({ terms, term, lengths }: QueryPostings): QueryCounts {
  const counts = new Array<number>(terms).fill(0);
  for (const each of term) counts[each] = (counts[each] as number) + 1;
  return { sentences: lengths.length, counts };
}

/** Finds the terms of a query in each sentence. */
export function findPostings(text: string, sentences: Sentences, query: string): QueryPostings {
  const isolated = isolatedCharacters(query);
  const terms = new Set(toTermSet(query));
  // Isolated characters are matched as characters, because a text holds them within bigrams; they count once.
  for (const character of isolated) terms.delete(toUnigram(character));
  const termIds = new TermIds(terms);
  const characterIds = new TermIds(isolated);
  const { folds } = characterTables();
  const lengths = new Uint16Array(sentences.count);
  const counter = new PostingCounter(termIds.size + characterIds.size);
  const buffer = createTermBuffer();
  for (let at = 0; at < sentences.count; at++) {
    const [start, end] = [sentences.starts[at] as number, sentences.ends[at] as number];
    const length = readTerms(text, start, end, buffer);
    for (let index = 0; index < length; index++) counter.add(termIds.idOf(buffer[index] as number));
    if (characterIds.size > 0)
      for (let unit = start; unit < end; unit++) {
        const id = characterIds.idOf(folds[text.charCodeAt(unit)] as number);
        if (id !== -1) counter.add(termIds.size + id);
      }
    lengths[at] = length;
    counter.endSentence(at);
  }
  return { terms: termIds.size + characterIds.size, lengths, ...counter.toPostings() };
}

/** Counts terms, one sentence after the other. */
class PostingCounter {
  readonly #sentence = new Uint32List();
  readonly #term = new Uint32List();
  readonly #frequency = new Uint32List();
  /** Frequencies in the current sentence, and the terms that occur in it. */
  readonly #frequencies: Uint16Array;
  readonly #found: number[] = [];

  constructor(terms: number) {
    this.#frequencies = new Uint16Array(terms);
  }

  /** Counts a term by its id; -1 is ignored. */
  add(term: number): void {
    if (term === -1) return;
    if (this.#frequencies[term] === 0) this.#found.push(term);
    this.#frequencies[term] = (this.#frequencies[term] as number) + 1;
  }

  endSentence(sentence: number): void {
    for (const term of this.#found) {
      this.#sentence.push(sentence);
      this.#term.push(term);
      this.#frequency.push(this.#frequencies[term] as number);
      this.#frequencies[term] = 0;
    }
    this.#found.length = 0;
  }

  toPostings(): Pick<QueryPostings, "sentence" | "term" | "frequency"> {
    return {
      sentence: this.#sentence.toArray(),
      term: this.#term.toArray(),
      frequency: this.#frequency.toArray(),
    };
  }
}
