/** A text without the differences that a search looks past. */
export interface FoldedText {
  readonly text: string;
  /** The place in the original that a place in the folded text comes from. */
  toOriginal(index: number): number;
}

/** Folds case, compatibility forms and accents, so that `Ärger`, `ARGER` and `ärger` are one. */
export function fold(original: string): FoldedText {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII
  const isPlain = /^[\u0000-\u007f]*$/.test(original);
  if (isPlain) return { text: original.toLowerCase(), toOriginal: (index) => index };
  return { text: foldPart(original), toOriginal: (index) => findPlace(original, index) };
}

function foldPart(text: string): string {
  // Upper case first: it takes ß and ss for the same. The sigma has a form of its own at the end of words.
  return text.normalize("NFKD").replaceAll(/\p{M}/gu, "").toUpperCase().toLowerCase().replaceAll("ς", "σ");
}

/** Folding changes lengths, so the place is found by folding up to it, one code point after the other. */
function findPlace(original: string, index: number): number {
  let folded = 0;
  let at = 0;
  for (const point of original) {
    if (folded >= index) break;
    folded += foldPart(point).length;
    at += point.length;
  }
  return at;
}
