const longestKey = 100;

/** A key as words of small letters, each singular: `specIds`, `spec-ids` and `SPEC_ID` are all `spec_id`. */
export function toKeyWords(key: string): string {
  return key
    .slice(0, longestKey)
    .replaceAll(/([a-z\d])([A-Z])/g, "$1_$2")
    .replaceAll(/([A-Z])([A-Z][a-z])/g, "$1_$2")
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "")
    .map(toSingular)
    .join("_");
}

/** True for a key whose last word is a plural. */
export function isPlural(key: string): boolean {
  const last = key.slice(-longestKey).toLowerCase();
  return toSingular(last) !== last;
}

function toSingular(word: string): string {
  if (word.length < 3) return word;
  if (/ies$/.test(word) && word.length > 4) return `${word.slice(0, -3)}y`;
  if (/(?:ss|us|is)$/.test(word)) return word;
  if (/(?:ch|sh|x|ss)es$/.test(word)) return word.slice(0, -2);
  return word.endsWith("s") ? word.slice(0, -1) : word;
}
