import { formsOf } from "./english-forms.ts";
import { foldWord } from "./fold-word.ts";
import { readOtherScripts, type ScriptTerm } from "./other-scripts.ts";
import { meaningsOfPhrase } from "./phrases.ts";
import { questionWeight } from "./question-words.ts";
import { synonymsOf } from "./synonyms.ts";
import { hashWholeWord, toTermSet } from "./terms.ts";

/** One thing that a query asks about, with all hashes by which a text may name it. */
export interface QueryTerm {
  /** The word of the query. Undefined for a term that is only a part of a word. */
  readonly word?: string | undefined;
  /** The importance, from 0 to 1. */
  readonly weight: number;
  /** The number of words that the term stands for. It is less than 1 for a part of a word and for a generic word. */
  readonly words: number;
  /** The share of such terms that an answer contains if it contains all words of the query. */
  readonly expected: number;
  /** True for a proper name, by its capital letters or digits. A text that lacks the name is about something else. */
  readonly isName?: boolean;
}

/** The terms of a query, and the matches that lead to them. */
export interface QueryTerms {
  readonly terms: readonly QueryTerm[];
  /** The matches by the hash of a term or of a whole word. */
  readonly matches: ReadonlyMap<number, readonly TermMatch[]>;
  /** The matches by single characters of scripts without spaces. */
  readonly characters: ReadonlyMap<number, number>;
}

/** A term that a hash names. */
export interface TermMatch {
  readonly term: number;
  /** How much an occurrence counts, in eighths: 8 for a form of the word, less for a relative of the word. */
  readonly eighths: number;
}

/** How much a match counts, by how it is related to the word of the query. */
const eighths = { inflection: 8, derivation: 6, family: 4, synonym: 4 } as const;

/** The number of words of a query whose forms and synonyms are looked up. Further words match only as they are. */
const maxExpandedWords = 64;

const latinWord = /[\p{Script=Latin}\p{N}][\p{Script=Latin}\p{N}\p{M}]*/gu;

/**
 * Splits a query into terms. A Latin word matches its inflections, its family and its synonyms, and counts by its
 * weight in questions. Other scripts are compared as before, by stems and bigrams.
 */
export function toQueryTerms(query: string): QueryTerms {
  // A run asks many documents the same question.
  if (last?.query !== query) last = { query, terms: createQueryTerms(query) };
  return last.terms;
}

let last: { readonly query: string; readonly terms: QueryTerms } | undefined;

function createQueryTerms(query: string): QueryTerms {
  const text = query.normalize("NFC");
  const found = [...text.matchAll(latinWord)];
  const words = found.map(([word]) => foldWord(word));
  const weights = words.map(questionWeight);
  const builder = new QueryTermsBuilder();
  const isAllFunctionWords = !weights.some((weight) => weight > 0);
  for (const [at, word] of words.entries()) {
    const weight = isAllFunctionWords ? 1 : (weights[at] as number);
    if (weight === 0) continue;
    if (at >= maxExpandedWords) builder.addPlainWord(word, weight);
    else builder.addWord(word, weight, isName(text, found[at] as RegExpExecArray));
  }
  for (const [at, word] of words.slice(0, maxExpandedWords).entries()) {
    if (at > 0) builder.addCompound(words[at - 1] as string, word);
    builder.addPhrase(words, at);
  }
  builder.addOtherScripts(text.replace(latinWord, " "));
  return builder.toTerms();
}

/** Returns true for a capitalized word that does not begin a sentence, in a query that is not capitalized throughout. */
function isName(query: string, { 0: word, index }: RegExpExecArray): boolean {
  if (!/^\p{Lu}/u.test(word) || !/\s\p{Ll}/u.test(query)) return false;
  return /[\p{L}\p{N},;:)'"’”-]\s*$/u.test(query.slice(Math.max(0, index - 4), index));
}

class QueryTermsBuilder {
  readonly #terms: QueryTerm[] = [];
  readonly #ids = new Map<string, number>();
  readonly #matches = new Map<number, TermMatch[]>();
  readonly #characters = new Map<number, number>();

  addWord(word: string, weight: number, isName: boolean): void {
    const { inflections, derivations, relatives } = formsOf(word);
    // Several forms of a word in one query are one term.
    const known = [...inflections].map((form) => this.#ids.get(form)).find((id) => id !== undefined);
    if (known !== undefined) return;
    const term = this.#terms.length;
    this.#terms.push({ word, weight, words: weight, expected: 1, isName });
    this.#ids.set(word, term);
    for (const form of inflections) this.#match(hashWholeWord(form), term, eighths.inflection);
    for (const form of derivations) this.#match(hashWholeWord(form), term, eighths.derivation);
    for (const form of relatives) this.#match(hashWholeWord(form), term, eighths.family);
    for (const stem of toTermSet(word)) this.#match(stem, term, eighths.family);
    for (const synonym of synonymsOf(inflections))
      for (const form of formsOf(synonym).inflections)
        this.#match(hashWholeWord(form), term, eighths.synonym);
  }

  /** Adds a word without its forms. */
  addPlainWord(word: string, weight: number): void {
    if (this.#ids.has(word)) return;
    const term = this.#terms.push({ word, weight, words: weight, expected: 1 }) - 1;
    this.#ids.set(word, term);
    this.#match(hashWholeWord(word), term, eighths.inflection);
    for (const stem of toTermSet(word)) this.#match(stem, term, eighths.family);
  }

  /** Adds the compound of two words, such as `timeout` for `time out`. */
  addCompound(first: string, second: string): void {
    for (const word of [first, second]) {
      const term = this.#ids.get(word);
      if (term === undefined) continue;
      for (const form of formsOf(second).inflections)
        if (first.length + form.length > 4)
          this.#match(hashWholeWord(first + form), term, eighths.inflection);
    }
  }

  /** Adds what a phrase such as `get rid of` means, as one term. */
  addPhrase(words: readonly string[], at: number): void {
    const meanings = meaningsOfPhrase(words, at);
    if (meanings.length === 0) return;
    const first = words[at] as string;
    // A generic word, such as `get`, has a term only if its weight is not 0.
    const term =
      this.#ids.get(first) ?? this.#terms.push({ word: first, weight: 1, words: 1, expected: 1 }) - 1;
    this.#terms[term] = { word: first, weight: 1, words: 1, expected: 1 };
    this.#ids.set(first, term);
    for (const meaning of meanings)
      for (const form of formsOf(meaning).inflections)
        this.#match(hashWholeWord(form), term, eighths.derivation);
  }

  /** Adds the terms of a text without Latin words. */
  addOtherScripts(text: string): void {
    const add = (term: ScriptTerm) => this.#terms.push(term) - 1;
    const { terms, characters } = readOtherScripts(text);
    for (const [hash, term] of terms) this.#match(hash, add(term), eighths.inflection);
    for (const [character, term] of characters) this.#characters.set(character, add(term));
  }

  toTerms(): QueryTerms {
    return { terms: this.#terms, matches: this.#matches, characters: this.#characters };
  }

  #match(hash: number, term: number, eighths: number): void {
    const matches = this.#matches.get(hash) ?? [];
    if (matches.some((each) => each.term === term && each.eighths >= eighths)) return;
    this.#matches.set(hash, [...matches.filter((each) => each.term !== term), { term, eighths }]);
  }
}
