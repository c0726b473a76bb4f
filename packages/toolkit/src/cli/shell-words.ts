/** Matches words that need no quotes in any shell. */
const plain = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** Matches characters that a terminal interprets instead of showing them, except line breaks and tabs. */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: it matches control characters
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/**
 * Quotes the words of a command for a shell. All of sh, bash, zsh and fish parse the result to the same words.
 * Words with control characters are an exception: they are written as `$'…'`, which only bash and zsh support.
 *
 * @example
 * toShellCommand(["notes", "add", "it's late"]); // notes add 'it'\''s late'
 */
export function toShellCommand(words: readonly string[]): string {
  return words.map(toShellWord).join(" ");
}

function toShellWord(word: string): string {
  if (plain.test(word)) return word;
  if (control.test(word)) return `$'${[...word].map(escapeCharacter).join("")}'`;
  // Inside quotes, fish drops a backslash before a backslash or a quote, so such backslashes are written outside the
  // quotes.
  const parts = word.split(/('|\\(?=[\\']|$))/);
  const quoted = parts.map((part, index) => (index % 2 === 1 ? `\\${part}` : part === "" ? "" : `'${part}'`));
  return quoted.join("") || "''";
}

function escapeCharacter(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (!control.test(character)) return character;
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
