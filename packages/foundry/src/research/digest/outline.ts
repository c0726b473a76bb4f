/** A range of a canonical text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A heading. It begins a section, which ends before the next heading of the same or a higher level. */
export interface Heading extends Span {
  /** The level from 1 (highest). The terms of a definition list are below all headings, see {@link termLevel}. */
  readonly level: number;
  /** The title, if it is not the text of the span. */
  readonly title?: string | undefined;
}

/** The structure that a document declares. */
export interface Outline {
  /** The headings, ascending. */
  readonly headings: readonly Heading[];
  /** The ranges of navigation, footers and the like, ascending and without overlap. */
  readonly chrome: readonly Span[];
}

/** The level of the terms of a definition list. A heading of this level without text ends the section of a term. */
export const termLevel = 7;

/** The maximum number of headings of a document. A hostile page may consist of headings only. */
export const maxHeadings = 50_000;
