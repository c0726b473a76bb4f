import type { Canvas, Colors } from "../define/action.ts";
import { toVisible, widthOf } from "./terminal-text.ts";
import { wrapLine } from "./wrap-line.ts";

/** The styles of a text: the colors of a canvas. */
export type Style = keyof Colors;

/** A part of a line: a text, which may be untrusted, and its style. */
export type Span = string | { readonly text: string; readonly style: Style };

/** A line before layout; the line is wrapped to several lines if the canvas is too narrow. */
export interface Line {
  /** The prefix of the first line, such as a bullet. */
  readonly lead?: readonly Span[] | undefined;
  readonly text: readonly Span[];
  /** The prefix of each further line. @default spaces as wide as the lead */
  readonly hang?: readonly Span[] | undefined;
}

/** Returns a text in a style. */
export function styled(style: Style, text: string): Span {
  return { text, style };
}

/** Returns a line without a lead. */
export function line(...text: readonly Span[]): Line {
  return { text };
}

export const blank: Line = { text: [] };

/** Returns lines indented by a number of columns. */
export function indent(lines: readonly Line[], by = 2): readonly Line[] {
  const space = " ".repeat(by);
  return lines.map(({ lead = [], text, hang }) => ({
    lead: [space, ...lead],
    text,
    hang: hang === undefined ? undefined : [space, ...hang],
  }));
}

/** Splits a text into lines; tabs become spaces, because the width of a tab depends on its column. */
export function prose(text: string, style?: Style): readonly Line[] {
  return text
    .trimEnd()
    .split(/\r?\n/)
    .map((each) => {
      const [lead = ""] = /^[ \t]*/.exec(each) ?? [];
      const rest = each.slice(lead.length).trimEnd();
      return {
        lead: [toSpaces(lead)],
        text: [style === undefined ? toSpaces(rest) : styled(style, toSpaces(rest))],
      };
    });
}

const toSpaces = (text: string) => text.replaceAll("\t", "    ");

/** Returns the number of columns that spans take after control characters are escaped. */
export function widthOfSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, span) => sum + widthOf(toVisible(textOfSpan(span).toWellFormed())), 0);
}

export function textOfSpan(span: Span): string {
  return typeof span === "string" ? span : span.text;
}

/**
 * Lays lines out on a canvas. Texts are escaped here, so that no view can forget to do so. Lines that are too wide are
 * wrapped, and a word that is wider than the canvas is split; nothing is left out.
 */
export function render(lines: readonly Line[], { width, colors }: Canvas): string {
  const rows = lines.flatMap((each) =>
    wrapLine(
      {
        lead: visible(each.lead ?? []),
        text: visible(each.text),
        hang: each.hang === undefined ? undefined : visible(each.hang),
      },
      width,
    ),
  );
  return rows.map((spans) => `${paint(trimEnd(spans), colors)}\n`).join("");
}

function visible(spans: readonly Span[]): readonly Span[] {
  return spans.map((span) =>
    typeof span === "string"
      ? toVisible(span.toWellFormed())
      : { text: toVisible(span.text.toWellFormed()), style: span.style },
  );
}

function trimEnd(spans: readonly Span[]): readonly Span[] {
  const kept = [...spans];
  for (let last = kept.pop(); last !== undefined; last = kept.pop()) {
    const text = textOfSpan(last).trimEnd();
    if (text === "") continue;
    kept.push(typeof last === "string" ? text : { text, style: last.style });
    break;
  }
  return kept;
}

function paint(spans: readonly Span[], colors: Colors): string {
  return spans
    .map((span) => (typeof span === "string" ? span : span.text === "" ? "" : colors[span.style](span.text)))
    .join("");
}
