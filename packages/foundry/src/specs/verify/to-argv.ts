import { ContractError } from "@foundry-mcp/contract";

/** What a shell would act upon, and what it would do. */
const shellOnly: Readonly<Record<string, string>> = {
  "|": "joins commands",
  "&": "joins commands",
  ";": "joins commands",
  "\n": "joins commands",
  "<": "redirects input",
  ">": "redirects output",
  "(": "groups commands",
  ")": "groups commands",
  $: "puts a variable or the output of a command in its place",
  "`": "puts the output of a command in its place",
  "*": "puts names of files in its place",
  "?": "puts names of files in its place",
  "[": "puts names of files in its place",
  "{": "puts several words in its place",
  "~": "puts the home folder in its place",
  "#": "begins a comment",
};
/** What has a meaning only at the beginning of a word. */
const atStart: ReadonlySet<string> = new Set(["~", "#"]);
/** What quotes of the double kind do not keep from the shell. */
const evenQuoted: ReadonlySet<string> = new Set(["$", "`"]);

/**
 * The words of a command line as a shell would split it, quotes and backslashes heeded. What only a shell can do is
 * refused: nothing here does it, and to pass it on as text would run something else than was meant.
 */
export function toArgv(text: string): readonly string[] {
  const command = text.trim();
  const words: string[] = [];
  let word: string | undefined;
  for (let at = 0; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === " " || character === "\t") {
      if (word !== undefined) words.push(word);
      word = undefined;
    } else if (character === "'" || character === '"') {
      const quoted = readQuoted(command, at);
      word = (word ?? "") + quoted.text;
      at = quoted.end;
    } else if (character === "\\") {
      const next = command.charAt(at + 1);
      if (next === "") throw refused(command, "it ends with a backslash, behind which something must stand");
      // A line that is continued on the next one is one line.
      if (next !== "\n") word = (word ?? "") + next;
      at += 1;
    } else {
      if (character in shellOnly && (word === undefined || !atStart.has(character)))
        throw shellNeeded(command, character);
      word = (word ?? "") + character;
      if (words.length === 0 && /^[A-Za-z_]\w*=$/.test(word))
        throw refused(command, `${word} before the program sets a variable, which takes a shell`);
    }
  }
  if (word !== undefined) words.push(word);
  if (words.length === 0 || words[0] === "") throw refused(command, "it names no program");
  if (command.includes("\0")) throw refused(command, "it holds a NUL character");
  return words;
}

function readQuoted(command: string, start: number): { readonly text: string; readonly end: number } {
  const quote = command.charAt(start);
  let text = "";
  for (let at = start + 1; at < command.length; at++) {
    const character = command.charAt(at);
    if (character === quote) return { text, end: at };
    if (quote === '"' && evenQuoted.has(character)) throw shellNeeded(command, character);
    if (quote === '"' && character === "\\") {
      const next = command.charAt(at + 1);
      // Before anything else a backslash in such quotes is one.
      if (next !== "\n") text += /^[$`"\\]$/.test(next) ? next : `\\${next}`;
      at += 1;
    } else text += character;
  }
  throw refused(command, `a quote that begins at character ${start + 1} does not end`);
}

function shellNeeded(command: string, character: string): ContractError {
  return refused(
    command,
    `${JSON.stringify(character)} ${shellOnly[character]} in a shell, and no shell is used`,
  );
}

function refused(command: string, why: string): ContractError {
  const short = command.length > 200 ? `${command.slice(0, 200)}…` : command;
  return new ContractError(`Cannot run ${JSON.stringify(short)}: ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation:
      "Put it in a script and run that, quote what is meant as it stands, or give the program and its arguments as argv.",
    details: { field: "command", constraint: "argv", received: short },
  });
}
