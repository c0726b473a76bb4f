const longest = 200;

/** What a document calls itself, on one line, and not too long; undefined where nothing is left. */
export function tidyTitle(title: string): string | undefined {
  // A title may be all there is of a page; nobody reads that much.
  const words = title
    .slice(0, 100 * longest)
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  if (words === "") return undefined;
  const points = Array.from(words.slice(0, 2 * longest + 1));
  return points.length <= longest ? points.join("") : points.slice(0, longest).join("").trimEnd();
}
