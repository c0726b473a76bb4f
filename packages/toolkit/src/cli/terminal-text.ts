/**
 * What a terminal acts upon instead of showing it: control characters with the escape that begins
 * every ANSI sequence, line separators, and marks that turn the direction of the text around.
 */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const active = /[\u0000-\u001f\u007f-\u009f\u2028\u2029\u200e\u200f\u061c\u202a-\u202e\u2066-\u2069\ufeff]/g;
const names: Readonly<Record<string, string>> = { "\n": "\\n", "\r": "\\r", "\t": "\\t" };

/** The text with everything that a terminal would act upon spelt out; line breaks stay where lines are shown. */
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

/** The same JSON with what a terminal would act upon as escapes: a program reads the same value. */
export function toVisibleJson(json: string): string {
  return json.replace(
    active,
    (character) => `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`,
  );
}
