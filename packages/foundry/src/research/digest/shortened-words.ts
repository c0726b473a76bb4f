import { isWhiteSpace } from "./white-space.ts";

/** Words that a dot shortens, and that a sentence seldom ends with. */
const shortened = new Set(
  "mr mrs ms dr prof st vs etc cf ca approx al eg ie e.g i.e inc ltd jr sr dept est bzw z.b d.h г гг др т.е т.д т.п см ст им".split(
    " ",
  ),
);
/** Words that a dot shortens where a number follows. */
const beforeNumbers = new Set("no nr nos p pp fig figs vol ch sec art eq стр рис гл п".split(" "));
/** None of them is longer, with a bracket before it. */
const longest = 8;

/** True where the dot shortens the word before it, or that word is an initial. */
export function isShortened(text: string, dot: number, next: number): boolean {
  let start = dot;
  while (start > 0 && dot - start < longest && !isWhiteSpace(text.charCodeAt(start - 1))) start--;
  const word = text.slice(start, dot).replace(/^[("'«“]+/, "");
  if (/^(?:\p{Lu}\.)*\p{Lu}$/u.test(word)) return true;
  const plain = word.toLowerCase();
  return shortened.has(plain) || (beforeNumbers.has(plain) && /\p{Nd}/u.test(text.charAt(next)));
}
