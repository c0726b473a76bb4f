import { eastAsianWidth } from "get-east-asian-width";

/**
 * Characters that a terminal interprets instead of showing them: control characters (including the escape character of
 * ANSI sequences), line separators, and marks that change the direction of the text.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
const active = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** Escapes control characters, so that a terminal shows them; `keepLines` keeps line breaks and tabs. */
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

/** Escapes control characters in JSON without changing its value. */
export function toVisibleJson(json: string): string {
  return json.replace(
    active,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}

/** Characters of width 0: combining marks, format characters, and the vowels and finals of a Hangul syllable. */
const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const printableAscii = /^[\x20-\x7e]*$/;
const joiner = "\u200d";
const emojiVariant = "\ufe0f";

/** Returns the number of columns that a text takes on a terminal. */
export function widthOf(text: string): number {
  if (printableAscii.test(text)) return text.length;
  let width = 0;
  for (const { columns } of measure(text)) width += columns;
  return width;
}

/** Truncates a text to a number of columns, with an ellipsis at the end if something is cut off. */
export function truncate(text: string, columns: number, ellipsis = "…"): string {
  if (text.length <= columns && printableAscii.test(text)) return text;
  let kept = "";
  let fitting = "";
  let width = 0;
  for (const { character, columns: taken } of measure(text)) {
    width += taken;
    if (width > columns) return `${fitting}${ellipsis.slice(0, columns)}`;
    kept += character;
    if (width <= columns - ellipsis.length) fitting = kept;
  }
  return kept;
}

/** Pads a text with spaces to a number of columns. */
export function pad(text: string, columns: number, atStart = false): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return atStart ? `${space}${text}` : `${text}${space}`;
}

/** A character, and the columns that it adds to a text. */
export interface MeasuredCharacter {
  readonly character: string;
  readonly columns: number;
  /** True if the character joins the preceding character, so that a line must not begin with it. */
  readonly isJoined: boolean;
}

/**
 * Yields every character with the number of columns that it adds; a character that joins the preceding character
 * adds no columns.
 */
export function* measure(text: string): Generator<MeasuredCharacter> {
  let before = "";
  let columnsBefore = 0;
  let isSecondRegional = false;
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    let columns = columnsOf(character, code);
    if (before === joiner || (isSkinTone(code) && columnsBefore === 2)) columns = 0;
    // The emoji variant of a character is wider than its text variant.
    if (character === emojiVariant && columnsBefore === 1 && mayBeEmoji(before)) columns = 1;
    if (isRegionalIndicator(code)) {
      // Two regional indicators form a flag.
      columns = isSecondRegional ? 0 : 2;
      isSecondRegional = !isSecondRegional;
    } else isSecondRegional = false;
    yield { character, columns, isJoined: columns === 0 || character === emojiVariant };
    before = character;
    columnsBefore = columns === 0 ? columnsBefore : columns;
  }
}

function columnsOf(character: string, code: number): number {
  if (code < 0x7f) return 1;
  return zeroWidth.test(character) ? 0 : eastAsianWidth(code);
}

/** True for characters outside ASCII, and for the characters of keycaps. */
function mayBeEmoji(character: string): boolean {
  return character > "\u007f" || /[0-9#*]/.test(character);
}

// The following functions compare code points with ranges instead of using \p{…}, because compiling such a
// pattern takes longer than processing a whole text.

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
