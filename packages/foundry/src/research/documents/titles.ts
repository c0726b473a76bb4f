import type { CanonicalText } from "../digest/canonical-text.ts";

/** A canonical text with the title of its document. */
export interface TitledText extends CanonicalText {
  readonly title?: string | undefined;
}

/** The maximum length of a title, in code points. */
const maxTitlePoints = 200;

/** Converts a title to one line of limited length. Returns undefined for an empty title. */
export function normalizeTitle(title: string): string | undefined {
  const line = title
    // The length is limited before normalization, because a broken page may consist only of a title.
    .slice(0, 100 * maxTitlePoints)
    .toWellFormed()
    .normalize("NFC")
    .replace(/[\s\p{Cc}]+/gu, " ")
    .trim();
  const points = Array.from(line.slice(0, 2 * maxTitlePoints)).slice(0, maxTitlePoints);
  return points.join("").trimEnd() || undefined;
}

/** The offset up to which a title is searched in a text. */
const maxTitleOffset = 64 * 2 ** 10;

/** Returns the first level-1 heading of a Markdown text, outside its front matter and code blocks. */
export function markdownTitle(text: string): string | undefined {
  const head = text
    .slice(0, maxTitleOffset)
    .replace(/^---[ \t]*\r?\n.*?\r?\n(---|\.\.\.)[ \t]*(\r?\n|$)/s, "");
  let fence = "";
  for (const line of head.split(/\r\n|\n|\r/)) {
    const [, mark] = /^ {0,3}(`{3,}|~{3,})/.exec(line) ?? [];
    if (mark !== undefined && fence === "") fence = mark;
    else if (mark?.startsWith(fence)) fence = "";
    if (fence !== "") continue;
    const [, heading] = /^ {0,3}#[ \t]+(.*)$/.exec(line) ?? [];
    const title =
      heading === undefined ? undefined : normalizeTitle(heading.replace(/(^|[ \t]+)#+[ \t]*$/, ""));
    if (title !== undefined) return title;
  }
  return undefined;
}

/** A title above a line of `=`, `*`, `#` or `-`, and perhaps below another such line, as in reStructuredText. */
const underlinedTitle =
  /^(?:([=*#~-])\1{2,}[ \t]*\r?\n)?[ \t]*(\S[^\r\n]{1,118})\r?\n([=*#~-])\3{2,}[ \t]*(?:\r?\n|$)/;
/** Comments, directives and labels, which may be above the title of a reStructuredText. */
const rstPreamble = /^(?:[ \t]*\r?\n|\.\. [^\r\n]*\r?\n(?:[ \t]+\S[^\r\n]*\r?\n)*)+/;

/** Returns the underlined title at the beginning of a plain text. */
export function underlinedTitleOf(text: string): string | undefined {
  const head = text.slice(0, maxTitleOffset).replace(rstPreamble, "");
  const [, , title] = underlinedTitle.exec(head) ?? [];
  return title === undefined ? undefined : normalizeTitle(title);
}
