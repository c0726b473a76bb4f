/** Where a sentence ends, with what closes it. */
const sentenceEnd = /(?:[.!?…؟۔।][.!?…"')\]}”’»]*(?=\s)|[。！？｡][」』）】》”’]*)/gu;

/** A text of so many code points at most: cut behind a sentence, else between words, else anywhere. */
export function cutText(text: string, most: number): string {
  // No text has more code points than units.
  if (text.length <= most) return text;
  const points = Array.from(text);
  if (points.length <= most) return text;
  const start = points.slice(0, most).join("");
  // What follows tells whether a sentence ends with the last character that there is room for.
  const ends = [...`${start}${points[most]}`.matchAll(sentenceEnd)].map(
    ({ index, 0: end }) => index + end.length,
  );
  const lastEnd = ends.findLast((end) => end <= start.length) ?? 0;
  if (lastEnd > start.length / 2) return start.slice(0, lastEnd);
  const room = points.slice(0, most - 1).join("");
  const lastSpace = points[most - 1] === " " ? room.length : room.lastIndexOf(" ");
  return `${room.slice(0, lastSpace > room.length / 2 ? lastSpace : undefined).trimEnd()}…`;
}
