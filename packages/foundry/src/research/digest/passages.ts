import type { CanonicalText } from "./canonical-text.ts";
import type { RankedText } from "./rank-by-query.ts";
import type { Scores } from "./scores.ts";
import { sentenceKinds } from "./sections.ts";
import { type SelectedSentence, selectSentences } from "./select-sentences.ts";
import { maxSentencePoints, type Sentences } from "./sentences.ts";

/** A passage of one to several sentences around the sentence that was ranked. */
export interface Passage extends SelectedSentence {
  /** The first and the last sentence of the passage. */
  readonly first: number;
  readonly last: number;
}

/**
 * The total length up to which five passages grow, in UTF-16 units. Five quotes of this length and their digest take
 * about 700 tokens.
 */
const totalLength = 870;
/** The share of this length in scripts other than Latin, in which a character takes about twice as many tokens. */
const otherScriptShare = 0.7;
/** The number of UTF-16 units at the beginning of a text that tell its script. */
const scriptSample = 2_000;
/** The share of a short text up to which its passages grow, so that its digest is shorter than the text. */
const textShare = 0.5;
/** The share of the best passage, compared with each other passage. */
const bestShare = 4;
/** The length up to which any passage may grow, so that it can be understood. */
const minComfortableLength = 90;
/** The number of passages among which the total length is divided. */
const dividedAmong = 5;
/** The maximum length of a passage in UTF-16 units. */
const maxLength = 480;
/** The maximum length of a term that is quoted with its definition. */
const maxTermLength = 120;
/** The number of sentences that are tried for each passage, because passages absorb neighboring sentences. */
const candidatesPerPassage = 12;

/** Selects the best passages, best first. The passages do not overlap, and each is on one page. */
export function findPassages(
  { text, pages }: CanonicalText,
  ranked: RankedText,
  scores: Scores,
  wanted: number,
): readonly Passage[] {
  const candidates = selectSentences(text, ranked.sentences, scores, wanted * candidatesPerPassage);
  const growth = new PassageGrowth(ranked, pages);
  const passages: Passage[] = [];
  const scale = isLatin(text) ? 1 : otherScriptShare;
  let room = Math.min(scale * totalLength, textShare * text.length);
  for (const { sentence, score } of candidates) {
    if (passages.length === wanted) break;
    const shares = Math.max(1, dividedAmong - passages.length) + (passages.length === 0 ? bestShare - 1 : 0);
    const share = (room / shares) * (passages.length === 0 ? bestShare : 1);
    const range = growth.grow(text, sentence, Math.max(scale * minComfortableLength, share));
    if (range === undefined) continue;
    passages.push({ sentence, score, ...range });
    room = Math.max(0, room - growth.lengthOf(range));
  }
  return passages;
}

function isLatin(text: string): boolean {
  const letters = text.slice(0, scriptSample).match(/\p{L}/gu) ?? [];
  return letters.filter((letter) => letter < "\u0250").length * 2 >= letters.length;
}

interface Range {
  readonly first: number;
  readonly last: number;
}

/** Grows passages around sentences. A sentence belongs to one passage at most. */
class PassageGrowth {
  readonly #ranked: RankedText;
  readonly #terms: (sentence: number) => ReadonlySet<number>;
  readonly #taken = new Set<number>();
  /** The first sentence of each page. A locator names one page, so no passage crosses from one to the next. */
  readonly #pageStarts: ReadonlySet<number>;

  constructor(ranked: RankedText, pages: readonly number[] = []) {
    this.#ranked = ranked;
    this.#pageStarts = findPageStarts(ranked.sentences, pages);
    this.#terms = createTermLookup(ranked);
  }

  /** Returns the range of the passage around a sentence, or undefined if an earlier passage contains the sentence. */
  grow(text: string, sentence: number, comfortableLength: number): Range | undefined {
    if (this.#taken.has(sentence)) return undefined;
    let range = this.#withTerm({ first: sentence, last: sentence });
    for (
      let next = this.#next(text, range, comfortableLength);
      next !== undefined;
      next = this.#next(text, range, comfortableLength)
    )
      range = next;
    for (let at = range.first; at <= range.last; at++) this.#taken.add(at);
    return range;
  }

  /** Adds the term of a definition list before its definition, and the definition after its term. */
  #withTerm({ first, last }: Range): Range {
    const { kinds } = this.#ranked.sections ?? {};
    if (kinds === undefined) return { first, last };
    const isDefined = kinds[first - 1] === sentenceKinds.term && this.#canAdd(first, first - 1);
    const isShort = isDefined && this.lengthOf({ first: first - 1, last: first - 1 }) <= maxTermLength;
    const wide = { first: isShort ? first - 1 : first, last };
    const isTerm = kinds[last] === sentenceKinds.term && this.#canAdd(last, last + 1);
    const longer = { ...wide, last: isTerm ? last + 1 : last };
    return this.#fits(longer) ? longer : this.#fits(wide) ? wide : { first, last };
  }

  /** Returns the range with one more sentence, or undefined if the passage is complete. */
  #next(text: string, { first, last }: Range, comfortableLength: number): Range | undefined {
    const before = { first: first - 1, last };
    const after = { first, last: last + 1 };
    const canPrecede = this.#canAdd(first, first - 1) && this.#fits(before);
    const canFollow = this.#canAdd(last, last + 1) && this.#fits(after);
    const announces = text.charAt((this.#ranked.sentences.ends[last] as number) - 1) === ":";
    if (canFollow && announces) return after;
    const gains = {
      before: canPrecede ? this.#gain(before, first - 1) : 0,
      after: canFollow ? this.#gain(after, last + 1) : 0,
    };
    // A sentence that says more about the query may exceed the comfortable length by half.
    const most = 1.5 * comfortableLength;
    if (gains.after > 0 && gains.after >= gains.before && this.lengthOf(after) <= most) return after;
    if (gains.before > 0 && this.lengthOf(before) <= most) return before;
    // A sentence is added only if the passage stays near the comfortable length.
    if (canFollow && this.lengthOf(after) <= comfortableLength) return after;
    const isComfortable = this.lengthOf(before) <= comfortableLength;
    return canPrecede && isComfortable && !this.#isNewBlock(first) ? before : undefined;
  }

  /** Returns the number of query terms that a sentence adds to a range. */
  #gain({ first, last }: Range, added: number): number {
    const known = new Set<number>();
    for (let at = first; at <= last; at++)
      if (at !== added) for (const term of this.#terms(at)) known.add(term);
    let gain = 0;
    for (const term of this.#terms(added)) if (!known.has(term)) gain++;
    return gain;
  }

  /** True if a sentence can be added next to a sentence of a passage: same section and page, not taken, not a heading. */
  #canAdd(at: number, added: number): boolean {
    const { sentences, sections } = this.#ranked;
    if (added < 0 || added >= sentences.count || this.#taken.has(added)) return false;
    if (this.#pageStarts.has(Math.max(at, added))) return false;
    if (sections === undefined) return sentences.blocks[at] === sentences.blocks[added];
    const kind = sections.kinds[added];
    if (kind !== sentenceKinds.text && kind !== sentenceKinds.term) return false;
    return sections.ofSentence[at] === sections.ofSentence[added];
  }

  #isNewBlock(at: number): boolean {
    const { blocks } = this.#ranked.sentences;
    return blocks[at - 1] !== blocks[at];
  }

  #fits({ first, last }: Range): boolean {
    return this.lengthOf({ first, last }) <= Math.min(maxLength, maxSentencePoints);
  }

  lengthOf({ first, last }: Range): number {
    const { starts, ends } = this.#ranked.sentences;
    return (ends[last] as number) - (starts[first] as number);
  }
}

/** Returns the sentences that are the first of their page. */
function findPageStarts({ count, starts }: Sentences, pages: readonly number[]): ReadonlySet<number> {
  const firsts = new Set<number>();
  let next = 0;
  for (let at = 0; at < count && next < pages.length; at++) {
    if ((starts[at] as number) < (pages[next] as number)) continue;
    firsts.add(at);
    while (next < pages.length && (pages[next] as number) <= (starts[at] as number)) next++;
  }
  return firsts;
}

/** Creates a function that returns the query terms of a sentence. */
function createTermLookup({ postings, sentences }: RankedText): (sentence: number) => ReadonlySet<number> {
  const known = new Map<number, ReadonlySet<number>>();
  return (sentence) => {
    const found = known.get(sentence) ?? new Set(termsOf(sentence));
    known.set(sentence, found);
    return found;
  };
  function termsOf(sentence: number): readonly number[] {
    if (sentence < 0 || sentence >= sentences.count) return [];
    const terms: number[] = [];
    for (let at = firstPosting(postings.sentence, sentence); postings.sentence[at] === sentence; at++)
      terms.push(postings.term[at] as number);
    return terms;
  }
}

/** Returns the index of the first posting of a sentence, by binary search. */
function firstPosting(ascending: Uint32Array, sentence: number): number {
  let low = 0;
  let high = ascending.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((ascending[middle] as number) < sentence) low = middle + 1;
    else high = middle;
  }
  return low;
}
