/** The longest beginning of a word that counts: endings differ, and what is meant does not. */
const stemLength = 6;

/** Where the part of a folded word begins that tells what it is about: in Arabic, small words are joined before it. */
export function startOfStem(word: Uint16Array, length: number): number {
  return isArabic(word[0] as number) && length > 4 ? prefixOf(word) : 0;
}

/** Where that part ends, by the script. No list of any language is asked. */
export function endOfStem(word: Uint16Array, start: number, length: number): number {
  const first = word[0] as number;
  // Numbers that begin alike are others all the same.
  if (first >= 0x30 && first <= 0x39) return withoutPlural(word, length);
  if (first < 0x0250) return Math.min(stemLength, withoutPlural(word, length));
  if (first >= 0x0400 && first <= 0x04ff) return Math.min(stemLength, withoutCyrillicEnding(word, length));
  return isArabic(first) ? length - endingOf(word, start, length) : length;
}

function isArabic(code: number): boolean {
  return code >= 0x0621 && code <= 0x064a;
}

/** Endings of Cyrillic languages are of these letters: хлеб, хлеба, хлебом and хлебами are one. */
const endingLetters = new Set([..."аеиоуыэюяіїєйьмхв"].map((each) => each.charCodeAt(0)));
const mostEnding = 3;

function withoutCyrillicEnding(word: Uint16Array, length: number): number {
  const least = Math.max(3, length - mostEnding);
  let end = length;
  while (end > least && endingLetters.has(word[end - 1] as number)) end--;
  return end;
}

const s = 0x73;
const e = 0x65;
const x = 0x78;

/** tides and tide are one; so are classes and class, glass and glass. */
function withoutPlural(word: Uint16Array, length: number): number {
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

/** The length of articles, conjunctions and prepositions, which are written with the word. */
function prefixOf(word: Uint16Array): number {
  const [first, second, third] = [word[0], word[1], word[2]];
  const isJoined = first === waw || first === fa || first === ba || first === kaf || first === lam;
  if (isJoined && second === alef && third === lam) return 3;
  if ((first === alef || first === lam) && second === lam) return 2;
  return first === waw || first === fa ? 1 : 0;
}

/** The length of what says that there are many, whose it is, or that it is female. */
function endingOf(word: Uint16Array, start: number, length: number): number {
  const [before, last] = [word[length - 2], word[length - 1]];
  const isPlural = last === nun && (before === waw || before === ya || before === alef);
  const isPair = isPlural || (last === ta && before === alef) || (last === alef && before === ha);
  if (isPair && length - start > 4) return 2;
  // ة is folded to ه.
  return (last === ha || last === ya) && length - start > 3 ? 1 : 0;
}
