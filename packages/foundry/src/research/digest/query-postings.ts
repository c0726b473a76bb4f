import { characterTables } from "./character-tables.ts";
import { NumberList } from "./number-list.ts";
import type { Sentences } from "./sentences.ts";
import { TermNumbers } from "./term-numbers.ts";
import { loneCharactersOf, loneTermOf, readTerms, termBuffer, termsOf } from "./terms.ts";

/** Which term of a query stands how often in which sentence; most sentences have none. */
export interface QueryHits {
  /** How many terms the query has. */
  readonly terms: number;
  /** How many terms each sentence has. */
  readonly lengths: Uint16Array;
  /** One for each term that a sentence has, sentence by sentence. */
  readonly sentence: Uint32Array;
  readonly term: Uint32Array;
  readonly count: Uint32Array;
}

/** In how many sentences of a text each term of a query stands, in the order of the query's terms. */
export interface QueryCounts {
  readonly sentences: number;
  readonly counts: readonly number[];
}

/** Sums hits up over all sentences. */
export function countsOf({ terms, term, lengths }: QueryHits): QueryCounts {
  const counts = new Array<number>(terms).fill(0);
  for (const each of term) counts[each] = (counts[each] as number) + 1;
  return { sentences: lengths.length, counts };
}

/** Counts the terms of a query in each sentence. */
export function findHits(text: string, sentences: Sentences, query: string): QueryHits {
  const loneCharacters = loneCharactersOf(query);
  const terms = new Set(termsOf(query));
  // They are looked for by themselves, and count once.
  for (const character of loneCharacters) terms.delete(loneTermOf(character));
  const numbers = new TermNumbers(terms);
  const lone = new TermNumbers(loneCharacters);
  const { folds } = characterTables();
  const lengths = new Uint16Array(sentences.count);
  const tally = new Tally(numbers.size + lone.size);
  const buffer = termBuffer();
  for (let at = 0; at < sentences.count; at++) {
    const [start, end] = [sentences.starts[at] as number, sentences.ends[at] as number];
    const length = readTerms(text, start, end, buffer);
    for (let place = 0; place < length; place++) tally.add(numbers.find(buffer[place] as number));
    // A character that is asked for alone is in no pair.
    if (lone.size > 0)
      for (let unit = start; unit < end; unit++) {
        const number = lone.find(folds[text.charCodeAt(unit)] as number);
        if (number !== -1) tally.add(numbers.size + number);
      }
    lengths[at] = length;
    tally.close(at);
  }
  return { terms: numbers.size + lone.size, lengths, ...tally.finish() };
}

/** Counts the terms of one sentence after another. */
class Tally {
  readonly #sentence = new NumberList();
  readonly #term = new NumberList();
  readonly #count = new NumberList();
  /** How often each term is in this sentence, and which terms are. */
  readonly #counts: Uint16Array;
  readonly #open: number[] = [];

  constructor(terms: number) {
    this.#counts = new Uint16Array(terms);
  }

  /** Counts a term by its number; -1 is none. */
  add(term: number): void {
    if (term === -1) return;
    if (this.#counts[term] === 0) this.#open.push(term);
    this.#counts[term] = (this.#counts[term] as number) + 1;
  }

  /** Ends a sentence. */
  close(sentence: number): void {
    for (const term of this.#open) {
      this.#sentence.push(sentence);
      this.#term.push(term);
      this.#count.push(this.#counts[term] as number);
      this.#counts[term] = 0;
    }
    this.#open.length = 0;
  }

  finish(): Pick<QueryHits, "sentence" | "term" | "count"> {
    return {
      sentence: this.#sentence.toArray(),
      term: this.#term.toArray(),
      count: this.#count.toArray(),
    };
  }
}
