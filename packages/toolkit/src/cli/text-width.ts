const zeroWidth = /^[\p{Mn}\p{Me}\p{Cf}\u1160-\u11ff]$/u;
const emoji = /^\p{Emoji_Presentation}$/u;
const skinTone = /^\p{Emoji_Modifier}$/u;
const regional = /^\p{Regional_Indicator}$/u;
const joiner = "\u200d";
const emojiVariant = "\ufe0f";

/** The scripts whose characters take two columns, by their code points. */
const wide: readonly (readonly [number, number])[] = [
  [0x1100, 0x115f],
  [0x2e80, 0x303e],
  [0x3041, 0x33ff],
  [0x3400, 0x4dbf],
  [0x4e00, 0x9fff],
  [0xa000, 0xa4cf],
  [0xa960, 0xa97f],
  [0xac00, 0xd7a3],
  [0xf900, 0xfaff],
  [0xfe30, 0xfe6f],
  [0xff00, 0xff60],
  [0xffe0, 0xffe6],
  [0x1b000, 0x1b16f],
  [0x20000, 0x3fffd],
];

/** How many columns a text takes on a terminal. */
export function widthOf(text: string): number {
  // Most texts are plain: one column for each character.
  if (/^[\x20-\x7e]*$/.test(text)) return text.length;
  let width = 0;
  for (const { columns } of walk(text)) width += columns;
  return width;
}

/** The text in at most so many columns; where something is cut off, an ellipsis stands for it. */
export function cut(text: string, columns: number): string {
  if (text.length <= columns && /^[\x20-\x7e]*$/.test(text)) return text;
  let kept = "";
  let fitting = "";
  let width = 0;
  for (const { character, columns: taken } of walk(text)) {
    width += taken;
    if (width > columns) return `${fitting}…`;
    kept += character;
    if (width < columns) fitting = kept;
  }
  return kept;
}

/** The text filled up to so many columns. */
export function pad(text: string, columns: number, atStart = false): string {
  const space = " ".repeat(Math.max(0, columns - widthOf(text)));
  return atStart ? `${space}${text}` : `${text}${space}`;
}

/** Every character with the columns that it adds: those that join another add none. */
function* walk(text: string): Generator<{ readonly character: string; readonly columns: number }> {
  let before = "";
  let columnsBefore = 0;
  let isSecondRegional = false;
  for (const character of text) {
    let columns = columnsOf(character);
    if (before === joiner || (skinTone.test(character) && columnsBefore === 2)) columns = 0;
    // The mark asks for the picture, which is wider than the sign.
    if (character === emojiVariant && columnsBefore === 1) columns = 1;
    if (regional.test(character)) {
      columns = isSecondRegional ? 0 : 2;
      isSecondRegional = !isSecondRegional;
    } else isSecondRegional = false;
    yield { character, columns };
    before = character;
    columnsBefore = columns === 0 ? columnsBefore : columns;
  }
}

function columnsOf(character: string): number {
  if (zeroWidth.test(character)) return 0;
  const code = character.codePointAt(0) ?? 0;
  if (emoji.test(character)) return 2;
  return wide.some(([from, to]) => code >= from && code <= to) ? 2 : 1;
}
