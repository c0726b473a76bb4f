import type { CanonicalText } from "./canonical-text.ts";
import { isHeadingOrRule } from "./markdown-blocks.ts";
import { type Heading, maxHeadings } from "./outline.ts";

/** The maximum length of a heading in UTF-16 units. */
const maxHeadingLength = 120;

/**
 * A numbered heading, such as `3.2. Connection Management` or `Appendix A. Errors`. The number determines its level.
 */
const numberedHeading = /^(?:Appendix\s+)?((?:\d{1,3}|[A-Z])(?:\.\d{1,3})*)\.?\s+\p{Lu}[^.!?:;]*$/u;
/** A heading in capital letters, as in manual pages: `OPTIONS` or `EXIT STATUS`. */
const capitalHeading = /^\p{Lu}[\p{Lu}\p{N}][\p{Lu}\p{N} /&,()-]*$/u;
/** The entry of a Debian changelog: `make (4.3-4) unstable; urgency=low`. */
const changelogEntry = /^[a-z0-9][a-z0-9+.-]+ \(([^)]+)\) [a-z][^;]*; urgency=\w+/;

/**
 * Finds the headings of a plain text or of a Markdown text. Lines in fenced code blocks are never headings, because a
 * `#` begins a comment there.
 */
export function findTextHeadings({ text, blocks }: CanonicalText): readonly Heading[] {
  const headings: Heading[] = [];
  let fence = "";
  for (let at = 0; at < blocks.length && headings.length < maxHeadings; at++) {
    const start = blocks[at] as number;
    const end = endOfBlock(text, blocks, at);
    const mark = fenceOf(text, start);
    if (mark !== "" && (fence === "" || mark === fence)) fence = fence === "" ? mark : "";
    if (fence !== "" || end - start > 4 * maxHeadingLength) continue;
    const heading =
      readHeading(text, start, end) ??
      readNumbered(text, blocks, at) ??
      readUnderlined(text, start, end, blocks, at);
    if (heading !== undefined) headings.push(heading);
  }
  return headings;
}

function endOfBlock(text: string, blocks: readonly number[], at: number): number {
  let end = blocks[at + 1] ?? text.length;
  while (end > (blocks[at] as number) && /\s/.test(text.charAt(end - 1))) end--;
  return end;
}

function fenceOf(text: string, at: number): string {
  return text.startsWith("```", at) ? "```" : text.startsWith("~~~", at) ? "~~~" : "";
}

function readHeading(text: string, start: number, end: number): Heading | undefined {
  const line = text.slice(start, end);
  const [, hashes] = /^(#{1,6})\s+\S/.exec(line) ?? [];
  if (hashes !== undefined) return { start, end, level: hashes.length };
  const [entry, version] = changelogEntry.exec(line) ?? [];
  if (entry !== undefined) return { start, end: start + entry.length, level: 2, title: version };
  if (line.length > maxHeadingLength) return undefined;
  return line.length <= 60 && capitalHeading.test(line) ? { start, end, level: 2 } : undefined;
}

/**
 * Reads a numbered heading. If the line before or after it has a number of the same level, it is not a heading but an
 * item of a list or of a table of contents.
 */
function readNumbered(text: string, blocks: readonly number[], at: number): Heading | undefined {
  const level = numberedLevel(text, blocks, at);
  if (level === undefined || level === numberedLevel(text, blocks, at - 1)) return undefined;
  const next = numberedLevel(text, blocks, at + 1);
  if (next !== undefined && next <= level) return undefined;
  return { start: blocks[at] as number, end: endOfBlock(text, blocks, at), level };
}

/** Returns the level of a numbered heading, or undefined if the line is not one. */
function numberedLevel(text: string, blocks: readonly number[], at: number): number | undefined {
  const start = blocks[at];
  if (start === undefined || (blocks[at + 1] ?? text.length) - start > maxHeadingLength) return undefined;
  const [, number] = numberedHeading.exec(text.slice(start, endOfBlock(text, blocks, at))) ?? [];
  return number === undefined ? undefined : Math.min(6, number.split(".").length + 1);
}

/**
 * Reads a heading that is underlined with `=`, `-`, `~` or `*`. A rule that is much shorter than the text is not an
 * underline.
 */
function readUnderlined(
  text: string,
  start: number,
  end: number,
  blocks: readonly number[],
  at: number,
): Heading | undefined {
  const rule = blocks[at + 1];
  if (rule === undefined || end - start > maxHeadingLength) return undefined;
  const mark = text.charAt(rule);
  if (!"=-~*".includes(mark) || !isHeadingOrRule(text, rule)) return undefined;
  const ruleEnd = endOfBlock(text, blocks, at + 1);
  const isRule = text.slice(rule, ruleEnd) === mark.repeat(ruleEnd - rule);
  if (!isRule || ruleEnd - rule < (end - start) / 2 || /[.:;,|]$/.test(text.slice(start, end)))
    return undefined;
  return { start, end, level: mark === "=" ? 1 : mark === "-" ? 2 : 3 };
}
