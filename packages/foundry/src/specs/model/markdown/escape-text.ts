/**
 * Escapes texts for Markdown so that the parser gets every text back exactly. A character that would have a meaning
 * at its position is written as a numeric character reference, as in HTML: `&#10;` for a line break in a title.
 */

/** Characters that editors, terminals and files may change: controls, direction marks, lone surrogates. */
const fragile =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const characterReference = /&#(?:(\d{1,7})|x([0-9a-f]{1,6}))?;/gi;
const checkbox = /^\[[^\p{L}\p{N}\]]?\](?=\s|$)|^\[x\](?=\s|$)/iu;

/** Escapes a text for a single line. */
export function escapeInline(text: string): string {
  const safe = escapeFragile(text);
  return escapeLastSpace(safe.startsWith(" ") ? `&#32;${safe.slice(1)}` : safe);
}

/** Escapes the text of a list item, which must not begin like a checkbox and must not be empty. */
export function escapeListItem(text: string): string {
  if (text === "") return "&#;";
  const line = escapeInline(text);
  // After the list marker, a line of hyphens only would be a thematic break.
  const isBreak = line[0] === "-" && !/[^- ]/.test(line);
  return isBreak || checkbox.test(line) ? `&#${line.charCodeAt(0)};${line.slice(1)}` : line;
}

/** Writes a text of any number of lines as the lines of a block quote. */
export function toBlockQuote(text: string): readonly string[] {
  return text.split("\n").map((line) => {
    // Editors strip spaces at the end of a line; spaces at the start are safe behind the quote marker.
    const safe = escapeLastSpace(escapeFragile(line));
    return safe === "" ? ">" : `> ${safe}`;
  });
}

/** Escapes an id, including one with unusual characters or one that reads like "none". */
export function escapeId(id: string): string {
  if (id === "") return "&#;";
  const safe = id.replace(/[^A-Za-z0-9_.:-]|\.$/gu, toCharacterReference);
  return noId.test(safe) ? `&#${safe.charCodeAt(0)};${safe.slice(1)}` : safe;
}

/** Matches the words that people write where there is no id. */
export const noId = /^(?:none|nothing|n\/a|-+)$/i;

/** Returns the text that an escaped text stands for. */
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
