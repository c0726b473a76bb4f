/** A help page as data. */
export interface HelpPage {
  /** The text after `Usage: `. */
  readonly usage: string;
  readonly description: string;
  readonly sections: readonly HelpSection[];
}

/** A section of a help page: a list under a title. A section without rows is not printed. */
export interface HelpSection {
  readonly title: string;
  readonly rows: readonly HelpRow[];
  /**
   * True to start the descriptions right after the longest term of this section, instead of in the column that all
   * sections share. @default false
   */
  readonly isNarrow?: boolean;
}

/** A term and its description, which may be empty. */
export type HelpRow = readonly [term: string, description: string];

const indent = "  ";
const gap = "  ";

/** Formats a help page in lines of at most `width`; text is not wrapped if there is less room than `minWidth`. */
export function formatHelp(
  { usage, description, sections }: HelpPage,
  width: number,
  minWidth: number,
): string {
  const shown = sections.filter(({ rows }) => rows.length > 0);
  const widthOf = (sections: readonly HelpSection[]) =>
    Math.max(0, ...sections.flatMap(({ rows }) => rows.map(([term]) => term.length)));
  const shared = widthOf(shown.filter(({ isNarrow = false }) => !isNarrow));
  const formatRow = ([term, text]: HelpRow, termWidth: number): string => {
    if (text === "") return `${indent}${term}`;
    const room = width - indent.length - termWidth - gap.length;
    const nextLine = `\n${" ".repeat(indent.length + termWidth + gap.length)}`;
    // A text with indented lines keeps its layout.
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
    ...shown.flatMap((section) => {
      const termWidth = section.isNarrow ? widthOf([section]) : shared;
      return [section.title, ...section.rows.map((row) => formatRow(row, termWidth)), ""];
    }),
  ].join("\n");
}

/** Breaks lines at white space and keeps the line breaks of the text. */
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
