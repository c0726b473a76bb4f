import { canonicalize } from "../digest/canonical-text.ts";

/** Control characters, byte order marks, and characters that change the text direction. */
const invisible = /\p{Cc}|[\u202a-\u202e\u2066-\u2069\ufeff]/gu;

/** Converts a text of a model to one line without invisible characters. */
export function toPlainLine(text: string): string {
  // White space is collapsed first, because line ends are control characters that separate words.
  return canonicalize(canonicalize(text).text.replace(invisible, "")).text;
}

/** A sentence terminator with closing quotes and brackets. */
const sentenceEnd = /(?:[.!?…؟۔।][.!?…"')\]}”’»]*(?=\s)|[。！？｡][」』）】》”’]*)/gu;

/**
 * Truncates a text to a number of code points. The text is cut after a sentence if possible, or else between words,
 * or else between characters.
 */
export function truncateText(text: string, maxPoints: number): string {
  // A text never has more code points than UTF-16 units.
  if (text.length <= maxPoints) return text;
  const points = Array.from(text);
  if (points.length <= maxPoints) return text;
  const start = points.slice(0, maxPoints).join("");
  // The next character is included, because it shows whether the last character ends a sentence.
  const ends = [...`${start}${points[maxPoints]}`.matchAll(sentenceEnd)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const lastEnd = ends.findLast((end) => end <= start.length) ?? 0;
  if (lastEnd > start.length / 2) return start.slice(0, lastEnd);
  const room = points.slice(0, maxPoints - 1).join("");
  const lastSpace = points[maxPoints - 1] === " " ? room.length : room.lastIndexOf(" ");
  return `${room.slice(0, lastSpace > room.length / 2 ? lastSpace : undefined).trimEnd()}…`;
}
