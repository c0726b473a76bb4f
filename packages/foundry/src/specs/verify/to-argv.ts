import { ContractError } from "@foundry-mcp/contract";

/** The characters that have a meaning in a shell, each with a description of its meaning. */
const shellOnly: Readonly<Record<string, string>> = {
  "|": "joins commands",
  "&": "joins commands",
  ";": "joins commands",
  "\n": "joins commands",
  "<": "redirects input",
  ">": "redirects output",
  "(": "groups commands",
  ")": "groups commands",
  $: "inserts a variable or the output of a command",
  "`": "inserts the output of a command",
  "*": "inserts names of files",
  "?": "inserts names of files",
  "[": "inserts names of files",
  "{": "inserts several words",
  "~": "inserts the home folder",
  "#": "begins a comment",
};
/** The characters that have a meaning only at the start of a word. */
const atStart: ReadonlySet<string> = new Set(["~", "#"]);
/** The characters that keep their meaning inside double quotes. */
const evenQuoted: ReadonlySet<string> = new Set(["$", "`"]);

/**
 * Splits a command line into words like a shell, with quotes and backslashes. Throws for syntax that needs a
 * shell. Without a shell, such syntax would be passed to the program as text and change the effect of the
 * command.
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
      if (next === "")
        throw refused(command, "it ends with a backslash, which must be followed by a character");
      // A backslash before a newline continues the line.
      if (next !== "\n") word = (word ?? "") + next;
      at += 1;
    } else {
      if (character in shellOnly && (word === undefined || !atStart.has(character)))
        throw shellNeeded(command, character);
      word = (word ?? "") + character;
      if (words.length === 0 && /^[A-Za-z_]\w*=$/.test(word))
        throw refused(command, `${word} before the program sets a variable, which only a shell does`);
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
      // In double quotes, a backslash before any other character is a literal backslash.
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
      "Put the command into a script and run that, quote the character, or give the program and its arguments as argv.",
    details: { field: "command", constraint: "argv", received: short },
  });
}
