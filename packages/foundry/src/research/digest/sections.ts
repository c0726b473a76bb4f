import type { CanonicalText } from "./canonical-text.ts";
import { type Heading, type Span, termLevel } from "./outline.ts";
import type { Sentences } from "./sentences.ts";
import { findTextHeadings } from "./text-headings.ts";

/**
 * The kinds of sentences. Headings and page chrome are not quoted. Headings name the section of the following
 * sentences.
 */
export const sentenceKinds = { text: 0, heading: 1, chrome: 2, term: 3 } as const;

/** The maximum length of a title in a heading path, in UTF-16 units. */
const maxTitleLength = 60;
/** The maximum number of titles in a heading path. The innermost titles are kept. */
const maxPathLength = 2;

/** The sections of a text. Section 0 is the text before the first heading; section n begins at heading n - 1. */
export interface Sections {
  readonly headings: readonly Heading[];
  /** The parent of each section. The parent of a top-level section is section 0. */
  readonly parents: Uint32Array;
  /** The section of each sentence. */
  readonly ofSentence: Uint32Array;
  /** The kind of each sentence. */
  readonly kinds: Uint8Array;
}

/** Assigns each sentence to its section. */
export function findSections(source: CanonicalText, sentences: Sentences): Sections {
  const headings = source.outline?.headings ?? findTextHeadings(source);
  const ofSentence = new Uint32Array(sentences.count);
  const kinds = new Uint8Array(sentences.count);
  const chrome = createSpanCursor(source.outline?.chrome ?? []);
  let next = 0;
  for (let at = 0; at < sentences.count; at++) {
    const start = sentences.starts[at] as number;
    while (next < headings.length && (headings[next] as Heading).start <= start) next++;
    ofSentence[at] = next;
    const heading = headings[next - 1];
    if (chrome.holds(start)) kinds[at] = sentenceKinds.chrome;
    else if (heading !== undefined && start < heading.end)
      kinds[at] = heading.level >= termLevel ? sentenceKinds.term : sentenceKinds.heading;
  }
  return { headings, parents: findParents(headings), ofSentence, kinds };
}

/** Returns a function that tells whether an offset is inside one of the spans. Spans and offsets must be ascending. */
function createSpanCursor(spans: readonly Span[]): { holds(offset: number): boolean } {
  let at = 0;
  return {
    holds(offset) {
      while (at < spans.length && (spans[at] as Span).end <= offset) at++;
      const span = spans[at];
      return span !== undefined && span.start <= offset;
    },
  };
}

function findParents(headings: readonly Heading[]): Uint32Array {
  const parents = new Uint32Array(headings.length + 1);
  const open: number[] = [];
  for (const [at, { level }] of headings.entries()) {
    while (open.length > 0 && (headings[(open.at(-1) as number) - 1] as Heading).level >= level) open.pop();
    parents[at + 1] = open.at(-1) ?? 0;
    open.push(at + 1);
  }
  return parents;
}

/** Returns the title of a section, or an empty string if the section has none. */
export function titleOf(text: string, { headings }: Sections, section: number): string {
  const heading = headings[section - 1];
  if (heading === undefined) return "";
  return (heading.title ?? text.slice(heading.start, heading.end).replace(/^#+\s+|\s+#+$/g, "")).trim();
}

/** Returns the titles of a section and of the sections around it, outermost first. */
export function headingPath(text: string, sections: Sections, section: number): readonly string[] {
  const path: string[] = [];
  for (let at = section; at > 0 && path.length < maxPathLength; at = sections.parents[at] as number) {
    const title = shorten(titleOf(text, sections, at));
    if (title !== "" && title !== path[0]) path.unshift(title);
  }
  return path;
}

function shorten(title: string): string {
  const plain = title.replace(/\s*[#¶§]+$/u, "").replace(/\\(?=[!-/:-@[-`{-~])/g, "");
  if (plain.length <= maxTitleLength) return plain;
  return `${plain
    .slice(0, maxTitleLength - 1)
    .toWellFormed()
    .replace(/\s+\S*$|\uFFFD$/, "")}…`;
}
