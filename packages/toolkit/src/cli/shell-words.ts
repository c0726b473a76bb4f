/** Words that no shell takes for anything else. */
const plain = /^[A-Za-z0-9_@+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
/** What a terminal would act upon; a line break and a tab do no harm. */
const control =
  // biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069\ufeff]/;

/**
 * A command as it is typed into a shell, each word quoted where it must be. sh, bash, zsh and fish read
 * the same words; only what holds control characters is spelt in a way that bash and zsh alone know.
 *
 * @example
 * toShellCommand(["notes", "add", "it's late"]); // notes add 'it'\''s late'
 */
export function toShellCommand(words: readonly string[]): string {
  return words.map(toShellWord).join(" ");
}

function toShellWord(word: string): string {
  if (plain.test(word)) return word;
  if (control.test(word)) return `$'${[...word].map(spell).join("")}'`;
  // In the quotes of fish a backslash before another or before a quote is none: it stands outside.
  const parts = word.split(/('|\\(?=[\\']|$))/);
  const quoted = parts.map((part, index) => (index % 2 === 1 ? `\\${part}` : part === "" ? "" : `'${part}'`));
  return quoted.join("") || "''";
}

function spell(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (!control.test(character)) return character;
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
