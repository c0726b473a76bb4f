import { tidyTitle } from "./tidy-title.ts";

/** A title stands at the beginning of a text, if there is one. */
const farthest = 64 * 2 ** 10;

/** The first heading of the first order of a Markdown text, which is not a comment in a piece of code or a header. */
export function markdownTitle(text: string): string | undefined {
  const head = text.slice(0, farthest).replace(/^---[ \t]*\r?\n.*?\r?\n(---|\.\.\.)[ \t]*(\r?\n|$)/s, "");
  let fence = "";
  for (const line of head.split(/\r\n|\n|\r/)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined && fence === "") fence = mark;
    else if (mark?.startsWith(fence)) fence = "";
    if (fence !== "") continue;
    const [, heading] = /^ {0,3}#[ \t]+(.*)$/.exec(line) ?? [];
    const title = heading === undefined ? undefined : tidyTitle(heading.replace(/(^|[ \t]+)#+[ \t]*$/, ""));
    if (title !== undefined) return title;
  }
  return undefined;
}
