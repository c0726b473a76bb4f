/**
 * Escapes texts for Markdown so that the parser restores every text exactly. A character that would have a
 * meaning at its position is written as a numeric character reference, as in HTML. For example, a line break
 * in a title is written as `&#10;`.
 */

/**
 * Matches the characters that editors, terminals and files may change: control characters, direction marks
 * and lone surrogates.
 */
const fragile =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern must match control characters
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const characterReference = /&#(?:(\d{1,7})|x([0-9a-f]{1,6}))?;/gi;
const checkbox = /^\[[^\p{L}\p{N}\]]?\](?=\s|$)|^\[x\](?=\s|$)/iu;

/** Escapes a text for a single line. */
export function escapeInline(text: string): string {
  const safe = escapeFragile(text);
  return escapeLastSpace(safe.startsWith(" ") ? `&#32;${safe.slice(1)}` : safe);
}

/** Escapes the text of a list item. The escaped text does not begin like a checkbox and is not empty. */
export function escapeListItem(text: string): string {
  if (text === "") return "&#;";
  const line = escapeInline(text);
  // A line of hyphens only would be parsed as a thematic break after the list marker.
  const isBreak = line[0] === "-" && !/[^- ]/.test(line);
  return isBreak || checkbox.test(line) ? `&#${line.charCodeAt(0)};${line.slice(1)}` : line;
}

/** Writes a text with any number of lines as a block quote. */
export function toBlockQuote(text: string): readonly string[] {
  return text.split("\n").map((line) => {
    // Editors strip spaces at the end of a line, so the last space is escaped. Spaces at the start need no
    // escape, because the quote marker precedes them.
    const safe = escapeLastSpace(escapeFragile(line));
    return safe === "" ? ">" : `> ${safe}`;
  });
}

/** Escapes an id, including unusual characters and ids such as "none" that would be read as no id. */
export function escapeId(id: string): string {
  if (id === "") return "&#;";
  const safe = id.replace(/[^A-Za-z0-9_.:-]|\.$/gu, toCharacterReference);
  return noId.test(safe) ? `&#${safe.charCodeAt(0)};${safe.slice(1)}` : safe;
}

/** Matches the words that people write instead of an id if there is no id. */
export const noId = /^(?:none|nothing|n\/a|-+)$/i;

/** Returns the original text of an escaped text. */
export function unescapeInline(text: string): string {
  if (!text.includes("&#")) return text;
  return text.replace(characterReference, (all, decimal: string | undefined, hex: string | undefined) => {
    if (decimal === undefined && hex === undefined) return "";
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });
}

function escapeFragile(text: string): string {
  return text
    .replace(characterReference, (all) => `&#38;${all.slice(1)}`)
    .replace(fragile, toCharacterReference);
}

function escapeLastSpace(text: string): string {
  return text.endsWith(" ") ? `${text.slice(0, -1)}&#32;` : text;
}

function toCharacterReference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
