import type { Canvas } from "../define/action.ts";
import { indent, type Line, type Span, styled, widthOfSpans } from "./line.ts";
import { withLead } from "./list.ts";

/** A name with its value; fields with undefined or empty values are left out. */
export type Field = readonly [name: string, value: readonly Span[] | readonly Line[] | string | undefined];

/** The width below which a canvas is narrow. */
const narrow = 60;

/** Returns names and values in two columns, or in one column on a narrow canvas. */
export function fields(rows: readonly Field[], { width }: Canvas): readonly Line[] {
  const shown = rows.flatMap(([name, value]) => {
    const lines = toLines(value);
    return lines.length === 0 ? [] : [{ name, lines }];
  });
  const columns = shown.reduce((most, { name }) => Math.max(most, widthOfSpans([name])), 0) + 2;
  const isNarrow = width !== undefined && (width < narrow || columns > width / 3);
  return shown.flatMap(({ name, lines }) => {
    if (!isNarrow) return withLead([styled("dim", name), " ".repeat(columns - widthOfSpans([name]))], lines);
    const label = styled("dim", `${name}:`);
    const [only] = lines;
    if (lines.length > 1 || only === undefined) return [{ text: [label] }, ...indent(lines)];
    return [{ lead: only.lead, text: [label, " ", ...only.text], hang: ["  "] }];
  });
}

function toLines(value: Field[1]): readonly Line[] {
  if (value === undefined || value.length === 0) return [];
  if (typeof value === "string") return [{ text: [value] }];
  return isLines(value) ? value : [{ text: value }];
}

function isLines(value: readonly Span[] | readonly Line[]): value is readonly Line[] {
  const [first] = value;
  return typeof first === "object" && !("style" in first);
}
