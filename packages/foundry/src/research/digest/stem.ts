/**
 * The maximum length of a stem. Longer words are truncated, because different forms of a word mostly differ after this
 * length.
 */
const maxStemLength = 6;

/**
 * Returns the start of the stem of a folded word. Only Arabic words have prefixes that are skipped: articles and
 * prepositions.
 */
export function startOfStem(word: Uint16Array, length: number): number {
  return isArabic(word[0] as number) && length > 4 ? arabicPrefixLength(word) : 0;
}

/** Returns the end of the stem of a folded word, by the rules of its script and without word lists. */
export function endOfStem(word: Uint16Array, start: number, length: number): number {
  const first = word[0] as number;
  // Numbers are not truncated, because numbers with the same first digits are still different.
  if (first >= 0x30 && first <= 0x39) return withoutPluralEnding(word, length);
  if (first < 0x0250) return Math.min(maxStemLength, withoutPluralEnding(word, length));
  if (first >= 0x0400 && first <= 0x04ff) return Math.min(maxStemLength, withoutCyrillicEnding(word, length));
  return isArabic(first) ? length - arabicSuffixLength(word, start, length) : length;
}

function isArabic(code: number): boolean {
  return code >= 0x0621 && code <= 0x064a;
}

/**
 * The letters of Cyrillic inflectional endings. They are removed, so that хлеб, хлеба, хлебом and хлебами have the same
 * stem.
 */
const endingLetters = new Set([..."аеиоуыэюяіїєйьмхв"].map((each) => each.charCodeAt(0)));
const maxEndingLength = 3;

function withoutCyrillicEnding(word: Uint16Array, length: number): number {
  const minLength = Math.max(3, length - maxEndingLength);
  let end = length;
  while (end > minLength && endingLetters.has(word[end - 1] as number)) end--;
  return end;
}

const s = 0x73;
const e = 0x65;
const x = 0x78;

/**
 * Removes the plural ending. For example, `tides` and `tide` have the same stem, `classes` and `class` have the same
 * stem, and `glass` is unchanged.
 */
function withoutPluralEnding(word: Uint16Array, length: number): number {
  if (length < 4 || word[length - 1] !== s || word[length - 2] === s) return length;
  const isSibilant =
    length > 4 && word[length - 2] === e && (word[length - 3] === s || word[length - 3] === x);
  return length - (isSibilant ? 2 : 1);
}

const alef = 0x0627;
const ba = 0x0628;
const ta = 0x062a;
const fa = 0x0641;
const kaf = 0x0643;
const lam = 0x0644;
const nun = 0x0646;
const ha = 0x0647;
const waw = 0x0648;
const ya = 0x064a;

/** Returns the length of the article, conjunction and preposition that are written as a prefix of an Arabic word. */
function arabicPrefixLength(word: Uint16Array): number {
  const [first, second, third] = [word[0], word[1], word[2]];
  const isParticle = first === waw || first === fa || first === ba || first === kaf || first === lam;
  if (isParticle && second === alef && third === lam) return 3;
  if ((first === alef || first === lam) && second === lam) return 2;
  return first === waw || first === fa ? 1 : 0;
}

/** Returns the length of the plural, dual, possessive or feminine suffix of an Arabic word. */
function arabicSuffixLength(word: Uint16Array, start: number, length: number): number {
  const [before, last] = [word[length - 2], word[length - 1]];
  const isPlural = last === nun && (before === waw || before === ya || before === alef);
  const isPair = isPlural || (last === ta && before === alef) || (last === alef && before === ha);
  if (isPair && length - start > 4) return 2;
  // The feminine ending ة was folded to ه.
  return (last === ha || last === ya) && length - start > 3 ? 1 : 0;
}
