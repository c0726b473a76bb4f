/** A range of a canonical text, in UTF-16 units. */
export interface Span {
  readonly start: number;
  readonly end: number;
}

/** A heading. Its section ends before the next heading of the same or a higher level. */
export interface Heading extends Span {
  /**
   * The level, where 1 is the highest. Terms of definition lists have a lower level than all headings: {@link
   * termLevel}.
   */
  readonly level: number;
  /** The title, if it differs from the text of the span. */
  readonly title?: string | undefined;
}

/** The structure that a document format declares, such as the elements of an HTML page or the outline of a PDF. */
export interface Outline {
  /** The headings in ascending order. */
  readonly headings: readonly Heading[];
  /** The ranges of page chrome: navigation, footers and similar parts. The ranges are ascending and do not overlap. */
  readonly chrome: readonly Span[];
}

/**
 * The level of terms in a definition list. A heading of this level with an empty span ends the section of the last
 * term.
 */
export const termLevel = 7;

/** The maximum number of headings of a document. A hostile page may consist of headings only. */
export const maxHeadings = 50_000;
