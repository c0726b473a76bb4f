/** A command of this project as a page prints it. */
export interface PrintedCommand {
  readonly program: "foundry-cli" | "foundry-mcp";
  /** The words after the program, up to a pipe, a redirection or the end. */
  readonly words: readonly string[];
  readonly line: number;
}

/** Finds the commands in the code blocks and code spans of a Markdown page. */
export function commandsIn(text: string): readonly PrintedCommand[] {
  return codeIn(text).flatMap(({ code, line }) =>
    // The pattern does not match an address or a quoted name, because they are not commands.
    [...code.matchAll(/(?<![\w/@."'-])foundry-(cli|mcp)(?=[ \n]|$)([^\n]*)/g)].map((match) => ({
      program: `foundry-${match[1] as "cli" | "mcp"}` as const,
      words: toWords(withinText(code.slice(0, match.index), match[2] ?? "")),
      line: line + code.slice(0, match.index).split("\n").length - 1,
    })),
  );
}

/**
 * Returns the part of a command that is inside a JSON text. If a quote is open on the line before the command, this
 * is the text up to the closing quote.
 */
function withinText(before: string, rest: string): string {
  const quotes = /[^\n]*$/.exec(before)?.[0].match(/(?<!\\)"/g) ?? [];
  return quotes.length % 2 === 0 ? rest : (/^(?:\\.|[^"\\])*/.exec(rest)?.[0] ?? rest);
}

/** Returns the code blocks and spans of a page. Lines that a backslash continues are joined. */
function codeIn(text: string): readonly { readonly code: string; readonly line: number }[] {
  const lineOf = (index: number) => text.slice(0, index).split("\n").length;
  const blocks = [...text.matchAll(/^```[^\n]*\n(.*?)^```$/gms)];
  const prose = text.replace(/^```.*?^```$/gms, (block) => block.replace(/[^\n]/g, " "));
  const spans = [...prose.matchAll(/(`+)([^`]+)\1/g)];
  return [
    ...blocks.map((match) => ({
      code: (match[1] ?? "").replaceAll("\\\n", "  "),
      line: lineOf(match.index) + 1,
    })),
    ...spans.map((match) => ({ code: (match[2] ?? "").replaceAll("\n", " "), line: lineOf(match.index) })),
  ];
}

/** Splits a line in the same way as a shell, but supports only the syntax that pages use. */
function toWords(line: string): readonly string[] {
  const words: string[] = [];
  for (const [word] of line.matchAll(
    /(?:"(?:\\.|[^"\\])*"?|'[^']*'?|[^\s"'|;&<>()#]|(?<=\S)#)+|[|;&<>()#]/g,
  )) {
    if (/^[|;&<>()#]$/.test(word)) break;
    // Punctuation after a command belongs to the surrounding sentence.
    words.push(word.replace(/[,;:.`]+$/, ""));
  }
  return words;
}
