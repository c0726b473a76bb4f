import type { Canvas } from "../define/action.ts";
import { glyphsOf } from "./glyphs.ts";
import { indent, type Line, prose, type Span, styled, widthOfSpans } from "./line.ts";

/** Returns texts as a list with bullets; the lines of a text are aligned after its bullet. */
export function list(
  items: readonly string[],
  canvas: Canvas,
  bullet: Span = glyphsOf(canvas).bullet,
): readonly Line[] {
  return items.flatMap((item) => withLead([bullet, " "], prose(item)));
}

/** Adds a lead before the first line, and spaces of the same width before the other lines. */
export function withLead(lead: readonly Span[], lines: readonly Line[]): readonly Line[] {
  const space = " ".repeat(widthOfSpans(lead));
  return lines.map((each, index) => ({
    lead: [...(index === 0 ? lead : [space]), ...(each.lead ?? [])],
    text: each.text,
    hang: each.hang === undefined ? undefined : [space, ...each.hang],
  }));
}

/** Returns a heading with lines below it; empty if there are no lines. */
export function section(title: string, lines: readonly Line[]): readonly Line[] {
  if (lines.length === 0) return [];
  return [{ text: [styled("bold", title)] }, ...indent(lines)];
}

/** Joins groups of lines with an empty line between them; empty groups are left out. */
export function stack(...groups: readonly (readonly Line[])[]): readonly Line[] {
  return groups
    .filter((lines) => lines.length > 0)
    .flatMap((lines, index) => (index === 0 ? lines : [{ text: [] }, ...lines]));
}
