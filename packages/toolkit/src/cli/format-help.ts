/** A help page as data. */
export interface HelpPage {
  /** What follows `Usage: `. */
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly HelpSection[];
}

/** A list under a title; one without rows is left out. */
export interface HelpSection {
  readonly title: string;
  readonly rows: readonly HelpRow[];
}

/** A term and its description, which may be empty. */
export type HelpRow = readonly [term: string, description: string];

const indent = "  ";
const gap = "  ";

/** Formats a help page in lines of at most `width`; text narrower than `minWidth` is not wrapped. */
export function formatHelp(
  { usage, description, sections }: HelpPage,
  width: number,
  minWidth: number,
): string {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  const termWidth = Math.max(0, ...shown.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const room = width - indent.length - termWidth - gap.length;
  const nextLine = `\n${" ".repeat(indent.length + termWidth + gap.length)}`;
  const formatRow = ([term, text]: HelpRow): string => {
    if (text === "") return `${indent}${term}`;
    // A text with indented lines has its own layout.
    const isLaidOut = room < minWidth || /\n[^\S\r\n]/.test(text);
    const lines = isLaidOut
      ? text.replaceAll("\n", `\n${indent}`)
      : wrap(text, room).replaceAll("\n", nextLine);
    return `${indent}${term.padEnd(termWidth)}${gap}${lines}`;
  };
  return [
    `Usage: ${usage}`,
    "",
    ...(description === "" ? [] : [width < minWidth ? description : wrap(description, width), ""]),
    ...shown.flatMap(({ title, rows }) => [title, ...rows.map(formatRow), ""]),
  ].join("\n");
}

/** Breaks lines at white space; line breaks of the text stay. */
function wrap(text: string, width: number): string {
  return text
    .split(/\r\n|\n/)
    .map((line) => {
      const lines: string[] = [];
      let current: string | undefined;
      for (const [word] of line.matchAll(/\s*\S+/g)) {
        if (current === undefined) current = word;
        else if (current.length + word.length <= width) current += word;
        else {
          lines.push(current);
          current = word.trimStart();
        }
      }
      return [...lines, current ?? ""].join("\n");
    })
    .join("\n");
}
