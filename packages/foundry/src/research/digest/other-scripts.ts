import { isFunctionWord } from "./foreign-function-words.ts";
import { isolatedCharacters, toTermSet, toUnigram } from "./terms.ts";

/** What a term of a query in another script than Latin stands for. */
export interface ScriptTerm {
  /** The importance, from 0 to 1. */
  readonly weight: number;
  /** The word of the query. Undefined for a bigram that is not the first one of a word. */
  readonly word?: string | undefined;
  /** The number of words that the term stands for. A bigram is a part of a word. */
  readonly words: number;
  /** The share of such terms that an answer contains if it contains all words of the query. */
  readonly expected: number;
}

/** The terms of a query in other scripts than Latin. */
export interface ScriptTerms {
  readonly terms: ReadonlyMap<number, ScriptTerm>;
  /** Words of one character, which texts contain within bigrams. */
  readonly characters: ReadonlyMap<number, ScriptTerm>;
}

const unspacedScript =
  /^[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}]/u;

/**
 * The share of the terms that an answer contains. Synonyms and irregular forms of other languages are not known. A bigram
 * that reaches from one word into the next is in a text only if the text has both words in this order.
 */
const expected = { word: 0.8, bigram: 0.8, phrase: 0.6, crossing: 0.25, character: 1 } as const;
/** A symbol, or a part of a query that is too long to be split into words. */
const unknownTerm: ScriptTerm = { weight: 1, words: 1, expected: 0.6 };
/**
 * A function word, or a bigram that reaches into one. It decides between passages that contain the same other words, and
 * no answer has to contain it.
 */
const functionTerm: ScriptTerm = { weight: 0.4, words: 0, expected: 0 };

/** The number of UTF-16 units of a query that are split into words. */
const maxSegmentedLength = 2_000;

let segmenter: Intl.Segmenter | undefined;

/** Splits a query without its Latin words into terms. Function words and bigrams with them count little. */
export function readOtherScripts(text: string): ScriptTerms {
  const builder = new ScriptTermsBuilder();
  if (/\S/.test(text)) {
    segmenter ??= new Intl.Segmenter("en", { granularity: "word" });
    const segmented = text.slice(0, maxSegmentedLength);
    for (const { segment, index, isWordLike } of segmenter.segment(segmented))
      if (isWordLike) builder.addWord(segment, index);
  }
  return builder.toTerms(text);
}

interface Segment {
  readonly word: string;
  readonly end: number;
  readonly isFunction: boolean;
  readonly isUnspaced: boolean;
}

class ScriptTermsBuilder {
  readonly #known = new Map<number, ScriptTerm>();
  readonly #segments: Segment[] = [];

  addWord(word: string, start: number): void {
    const isUnspaced = unspacedScript.test(word);
    const isFunction = isFunctionWord(word);
    const last = this.#segments.at(-1);
    const segment = { word, end: start + word.length, isFunction, isUnspaced };
    this.#segments.push(segment);
    this.#addOwn(segment);
    if (isUnspaced && last?.isUnspaced && last.end === start) this.#addCrossing(last, segment);
  }

  #addOwn(segment: Segment): void {
    const { word, isFunction, isUnspaced } = segment;
    const terms = [...toTermSet(word)];
    for (const [at, term] of terms.entries()) {
      const note = {
        ...(at === 0 ? { word } : {}),
        weight: 1,
        words: 1 / terms.length,
        expected: !isUnspaced ? expected.word : isCharacter(segment) ? expected.character : expected.bigram,
      };
      this.#note(term, isFunction ? functionTerm : note);
    }
  }

  /** Adds the bigram of the last character of a word and the first character of the next word. */
  #addCrossing(last: Segment, next: Segment): void {
    const pair = `${Array.from(last.word).at(-1) ?? ""}${Array.from(next.word)[0] ?? ""}`;
    const isPhrase = isCharacter(last) || isCharacter(next);
    const note = isPhrase
      ? { weight: 1, words: 0.5, expected: expected.phrase }
      : { weight: 1, words: 0, expected: expected.crossing };
    for (const term of toTermSet(pair))
      this.#note(term, last.isFunction || next.isFunction ? functionTerm : note);
  }

  #note(term: number, note: ScriptTerm): void {
    if (note.expected > (this.#known.get(term)?.expected ?? -1)) this.#known.set(term, note);
  }

  toTerms(text: string): ScriptTerms {
    const isAllFunctionWords = this.#segments.every(({ isFunction }) => isFunction);
    const noteOf = (term: number) => (isAllFunctionWords ? undefined : this.#known.get(term)) ?? unknownTerm;
    const terms = new Map(Array.from(toTermSet(text), (term) => [term, noteOf(term)]));
    const characters = new Map<number, ScriptTerm>();
    for (const character of [...isolatedCharacters(text), ...this.#standingCharacters()]) {
      // Texts contain the character within bigrams.
      const term = toUnigram(character);
      terms.delete(term);
      characters.set(character, noteOf(term));
    }
    return { terms, characters };
  }

  /** Returns the words of one character that stand between function words, so that no other term has them. */
  #standingCharacters(): readonly number[] {
    return this.#segments.flatMap((segment, at) => {
      if (segment.isFunction || !segment.isUnspaced || !isCharacter(segment)) return [];
      const [before, after] = [this.#segments[at - 1], this.#segments[at + 1]];
      const start = segment.end - segment.word.length;
      const follows = before?.isUnspaced && before.end === start && !before.isFunction;
      const precedes =
        after?.isUnspaced && after.end - after.word.length === segment.end && !after.isFunction;
      return follows || precedes ? [] : [...isolatedCharacters(segment.word)];
    });
  }
}

function isCharacter({ word }: Segment): boolean {
  return Array.from(word).length === 1;
}
