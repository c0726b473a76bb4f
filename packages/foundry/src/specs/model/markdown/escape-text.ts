/**
 * Texts are written as they are. The few characters that would mean something else in their place are written as
 * numbers, as HTML has them: `&#10;` for a line break in a title. So every text comes back exactly.
 */

/** What editors, terminals and files do not keep: control characters, turned directions, halves of a pair. */
const fragile =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]|[\ud800-\udbff](?![\udc00-\udfff])|(?<![\ud800-\udbff])[\udc00-\udfff]/g;
const characterReference = /&#(?:(\d{1,7})|x([0-9a-f]{1,6}))?;/gi;
const checkbox = /^\[[^\p{L}\p{N}\]]?\](?=\s|$)|^\[x\](?=\s|$)/iu;

/** A text for one line. */
export function escapeInline(text: string): string {
  if (text === "") return "";
  const safe = text
    .replace(characterReference, (all) => `&#38;${all.slice(1)}`)
    .replace(fragile, toCharacterReference);
  const first = safe.startsWith(" ") ? `&#32;${safe.slice(1)}` : safe;
  return first.endsWith(" ") ? `${first.slice(0, -1)}&#32;` : first;
}

/** The same where a box at its start would be taken for one, or nothing at all for no entry. */
export function escapeListItem(text: string): string {
  if (text === "") return "&#;";
  const line = escapeInline(text);
  // Behind the mark of an item, nothing but marks would be a rule across the page.
  const isRule = line[0] === "-" && !/[^- ]/.test(line);
  return isRule || checkbox.test(line) ? `&#${line.charCodeAt(0)};${line.slice(1)}` : line;
}

/** A text of any number of lines, as the lines of a quote. */
export function toBlockQuote(text: string): readonly string[] {
  return text.split("\n").map((line) => {
    // Editors take spaces at the end of a line away; those at the start are safe behind the mark.
    const safe = line
      .replace(characterReference, (all) => `&#38;${all.slice(1)}`)
      .replace(fragile, toCharacterReference);
    if (safe === "") return ">";
    return `> ${safe.endsWith(" ") ? `${safe.slice(0, -1)}&#32;` : safe}`;
  });
}

/** An id, also one with characters that ids do not have, or that would say that there is none. */
export function escapeId(id: string): string {
  if (id === "") return "&#;";
  const safe = id.replace(/[^A-Za-z0-9_.:-]|\.$/gu, toCharacterReference);
  return noId.test(safe) ? `&#${safe.charCodeAt(0)};${safe.slice(1)}` : safe;
}

/** What people write where there is no id to write. */
export const noId = /^(?:none|nothing|n\/a|-+)$/i;

/** A text as it was before it was written. */
export function unescapeInline(text: string): string {
  if (!text.includes("&#")) return text;
  return text.replace(characterReference, (all, decimal: string | undefined, hex: string | undefined) => {
    if (decimal === undefined && hex === undefined) return "";
    const code = decimal === undefined ? Number.parseInt(hex as string, 16) : Number(decimal);
    return code > 0x10ffff ? all : String.fromCodePoint(code);
  });
}

/** Without the spaces and tabs around it; other white space is text. */
export function trimSpaces(text: string): string {
  let [start, end] = [0, text.length];
  while (start < end && isSpace(text, start)) start += 1;
  while (end > start && isSpace(text, end - 1)) end -= 1;
  return text.slice(start, end);
}

/** True for a space or a tab. */
export function isSpace(text: string, index: number): boolean {
  const code = text.charCodeAt(index);
  return code === 32 || code === 9;
}

function toCharacterReference(character: string): string {
  return `&#${character.codePointAt(0)};`;
}
