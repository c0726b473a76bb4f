/** Words that no shell takes for anything else. */
const plain = /^[A-Za-z0-9_@%+:,./-][A-Za-z0-9_@%+=:,./-]*$/;
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are what is looked for
const control = /[\u0000-\u001f\u007f-\u009f\u2028\u2029]/;

/** A command as it is typed into a shell, each word quoted where it must be. */
export function toShellCommand(words: readonly string[]): string {
  return words.map(toShellWord).join(" ");
}

function toShellWord(word: string): string {
  if (plain.test(word)) return word;
  if (!control.test(word)) return `'${word.replaceAll("'", "'\\''")}'`;
  // What a terminal would act upon is spelt out; bash, zsh and ksh read this form.
  return `$'${[...word].map(spell).join("")}'`;
}

function spell(character: string): string {
  if (character === "\\" || character === "'") return `\\${character}`;
  if (character === "\n") return "\\n";
  if (character === "\t") return "\\t";
  if (!control.test(character)) return character;
  return `\\u${(character.codePointAt(0) ?? 0).toString(16).padStart(4, "0")}`;
}
