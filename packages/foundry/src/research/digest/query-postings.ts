import { characterTables } from "./character-tables.ts";
import type { QueryTerms, TermMatch } from "./query-terms.ts";
import type { Sentences } from "./sentences.ts";
import { TermIds } from "./term-ids.ts";
import { createTermBuffer, readTerms } from "./terms.ts";
import { Uint32List } from "./uint32-list.ts";

/** The postings of a query: which term occurs in which sentence, and how often. Most sentences have no postings. */
export interface QueryPostings {
  /** The number of terms in the query. */
  readonly terms: number;
  /** The number of words in each sentence. */
  readonly lengths: Uint16Array;
  /** Three parallel arrays with one entry for each posting, in the order of sentences. */
  readonly sentence: Uint32Array;
  readonly term: Uint32Array;
  /** The term frequency, in eighths. An occurrence of the word itself counts eight; a related word counts less. */
  readonly eighths: Uint32Array;
}

/** The document frequency (df) of each query term in a text. Each sentence counts as a document. */
export interface QueryCounts {
  readonly sentences: number;
  readonly counts: readonly number[];
  /**
   * The number of sentences that contain the word itself and not only a synonym. Undefined in logs of older versions.
   */
  readonly named?: readonly number[] | undefined;
  /** The number of headings in which each term occurs. Undefined in the logs of older versions. */
  readonly headings?: readonly number[] | undefined;
}

/** Counts the sentences in which each query term occurs. */
export function countSentences({
  terms,
  term,
  eighths,
  lengths,
}: QueryPostings): Required<Omit<QueryCounts, "headings">> {
  const counts = new Array<number>(terms).fill(0);
  const named = new Array<number>(terms).fill(0);
  for (const [at, each] of term.entries()) {
    counts[each] = (counts[each] as number) + 1;
    if ((eighths[at] as number) >= namedEighths) named[each] = (named[each] as number) + 1;
  }
  return { sentences: lengths.length, counts, named };
}

/** The frequency, in eighths, from which a match counts as the word itself. A lower frequency comes from synonyms. */
export const namedEighths = 6;

/** Finds the terms of a query in each sentence. */
export function findPostings(text: string, sentences: Sentences, query: QueryTerms): QueryPostings {
  const reader = new TermReader(query);
  const lengths = new Uint16Array(sentences.count);
  const [sentence, term, eighths] = [new Uint32List(), new Uint32List(), new Uint32List()];
  for (let at = 0; at < sentences.count; at++) {
    lengths[at] = reader.read(text, sentences.starts[at] as number, sentences.ends[at] as number);
    reader.take((found, frequency) => {
      sentence.push(at);
      term.push(found);
      eighths.push(frequency);
    });
  }
  return {
    terms: query.terms.length,
    lengths,
    sentence: sentence.toArray(),
    term: term.toArray(),
    eighths: eighths.toArray(),
  };
}

/** Finds the terms of a query in a text that is at most as long as a sentence. */
export class TermReader {
  readonly #ids: TermIds;
  /** The query terms that match each term id, with their frequencies. */
  readonly #matches: readonly (readonly TermMatch[])[];
  readonly #characterIds: TermIds;
  readonly #characterTerms: readonly number[];
  /** The term frequencies in the current text, in eighths. `#found` lists the terms whose frequency is not 0. */
  readonly #eighths: Uint32Array;
  readonly #found: number[] = [];
  readonly #stems = createTermBuffer();
  readonly #words = createTermBuffer();

  constructor({ terms, matches, characters }: QueryTerms) {
    this.#ids = new TermIds(new Set(matches.keys()));
    this.#matches = [...matches.values()];
    this.#characterIds = new TermIds(new Set(characters.keys()));
    this.#characterTerms = [...characters.values()];
    this.#eighths = new Uint32Array(terms.length);
  }

  /**
   * Adds up the frequencies of the query terms in a range of the text. Returns the number of all words in the range.
   */
  read(text: string, start: number, end: number): number {
    const [stems, words] = [this.#stems, this.#words];
    const length = readTerms(text, start, end, stems, words);
    for (let index = 0; index < length; index++) {
      const word = words[index] as number;
      const id = word === 0 ? -1 : this.#ids.idOf(word);
      const known = id === -1 ? this.#ids.idOf(stems[index] as number) : id;
      if (known !== -1) for (const { term, eighths } of this.#matches[known] ?? []) this.#add(term, eighths);
    }
    if (this.#characterIds.size > 0) this.#readCharacters(text, start, end);
    return length;
  }

  #readCharacters(text: string, start: number, end: number): void {
    const { folds } = characterTables();
    for (let unit = start; unit < end; unit++) {
      const id = this.#characterIds.idOf(folds[text.charCodeAt(unit)] as number);
      if (id !== -1) this.#add(this.#characterTerms[id] as number, 8);
    }
  }

  #add(term: number, eighths: number): void {
    if (this.#eighths[term] === 0) this.#found.push(term);
    this.#eighths[term] = (this.#eighths[term] as number) + eighths;
  }

  /** Calls a function with each term that was found and its frequency, and resets the frequencies. */
  take(use: (term: number, eighths: number) => void): void {
    for (const term of this.#found) {
      use(term, this.#eighths[term] as number);
      this.#eighths[term] = 0;
    }
    this.#found.length = 0;
  }
}
