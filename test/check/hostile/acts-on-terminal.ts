/** Our own colours, and the beginning of our own line of progress. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const own = /\u001b\[(?:1|2|22|31|32|33|39)m|\r\u001b\[2K|\r?\n/g;
/** Control characters that affect a terminal or reverse the direction of text. */
const active =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff].{0,20}/gu;

/**
 * Returns the parts of a text that would affect a terminal, except the colors and lines of the program. The list is
 * empty if the text is safe.
 */
export function actsOnTerminal(text: string): readonly string[] {
  return text.replace(own, "").match(active) ?? [];
}
