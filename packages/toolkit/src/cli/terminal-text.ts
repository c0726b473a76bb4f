import { eastAsianWidth } from "get-east-asian-width";

/**
 * Characters that a terminal acts upon instead of showing them: control characters with the escape of ANSI
 * sequences, line separators, and marks that change the direction of the text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const active = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes control characters, so that a terminal shows them; `keepLines` leaves line breaks and tabs. */
export function toVisible(
  text: string,
  { keepLines = false }: { readonly keepLines?: boolean } = {},
): string {
  return text.replace(active, (character) => {
    if (keepLines && (character === "\n" || character === "\t")) return character;
    const code = (character.codePointAt(0) ?? 0).toString(16);
    return (
      names[character] ?? (code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`)
    );
  });
}

/** Escapes control characters in JSON; its value stays the same. */
export function toVisibleJson(json: string): string {
  return json.replace(
    active,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** Combining marks, format characters, and the vowels and finals of a Hangul syllable. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const printableAscii = /^[\x20-\x7e]*$/;
const joiner = "\u200d";
const emojiVariant = "\ufe0f";

/** Returns how many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { columns } of measure(text)) width += columns;
  return width;
}

/** Truncates a text to so many columns, with an ellipsis at the end if something is missing. */
export function truncate(text: string, columns: number): string {
  if (text.length <= columns && printableAscii.test(text)) return text;
  let kept = "";
  let fitting = "";
  let width = 0;
  for (const { character, columns: taken } of measure(text)) {
    width += taken;
    if (width > columns) return `${fitting}…`;
    kept += character;
    if (width < columns) fitting = kept;
  }
  return kept;
}

/** Pads a text with spaces to so many columns. */
export function pad(text: string, columns: number, atStart = false): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return atStart ? `${space}${text}` : `${text}${space}`;
}

/** Yields every character with the columns that it adds; one that joins the character before it adds none. */
function* measure(text: string): Generator<{ readonly character: string; readonly columns: number }> {
  let before = "";
  let columnsBefore = 0;
  let isSecondRegional = false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    let columns = columnsOf(character, code);
    if (before === joiner || (isSkinTone(code) && columnsBefore === 2)) columns = 0;
    // The emoji variant of a character is wider than its text variant.
    if (character === emojiVariant && columnsBefore === 1) columns = 1;
    if (isRegionalIndicator(code)) {
      // Two of them make a flag.
      columns = isSecondRegional ? 0 : 2;
      isSecondRegional = !isSecondRegional;
    } else isSecondRegional = false;
    yield { character, columns };
    before = character;
    columnsBefore = columns === 0 ? columnsBefore : columns;
  }
}

function columnsOf(character: string, code: number): number {
  if (code < 0x7f) return 1;
  return zeroWidth.test(character) ? 0 : eastAsianWidth(code);
}

// Ranges instead of \p{…}: a property that is used once costs more to compile than all of the text.

function isSkinTone(code: number): boolean {
  return code >= 0x1f3fb && code <= 0x1f3ff;
}

function isRegionalIndicator(code: number): boolean {
  return code >= 0x1f1e6 && code <= 0x1f1ff;
}

/** Formats a number with its noun: 1 warning, 2 warnings. */
export function pluralize(count: number, one: string, many = `${one}s`): string {
  return `${count} ${count === 1 ? one : many}`;
}
