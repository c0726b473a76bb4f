import { namedEighths, TermReader } from "./query-postings.ts";
import type { QueryTerms } from "./query-terms.ts";
import { type Sections, titleOf } from "./sections.ts";

/** The query terms in the headings of a text. */
export interface HeadingTerms {
  /** The query terms that apply to each section, with the frequency that is added to every sentence of the section. */
  readonly bySection: ReadonlyMap<number, readonly HeadingTerm[]>;
  /** The number of headings in which each term occurs. */
  readonly counts: readonly number[];
}

/** A query term from a heading, with the term frequency that it adds to sentences below the heading. */
export interface HeadingTerm {
  readonly term: number;
  readonly frequency: number;
}

/**
 * The frequency that a term in a heading adds to the sentences of its section, and the factor for each level of
 * subsections.
 */
const headingWeight = 0.9;
const levelShare = 0.5;
/** The frequency below which a term of a distant heading is ignored. */
const minFrequency = 0.05;
/** The maximum number of characters of a heading that are read. */
const maxTitleLength = 300;

/** Finds the query terms in the headings. A section inherits the terms of its parent sections at a lower frequency. */
export function findHeadingTerms(text: string, sections: Sections, query: QueryTerms): HeadingTerms {
  const reader = new TermReader(query);
  const terms = new Map<number, readonly HeadingTerm[]>();
  const counts = new Array<number>(query.terms.length).fill(0);
  // A section comes after the section that contains it, so its terms are already known.
  for (let section = 1; section <= sections.headings.length; section++) {
    const title = titleOf(text, sections, section).slice(0, maxTitleLength);
    reader.read(title, 0, title.length);
    const own: HeadingTerm[] = [];
    reader.take((term, eighths) => {
      if (eighths >= namedEighths) counts[term] = (counts[term] as number) + 1;
      own.push({ term, frequency: Math.min(1, eighths / 8) * headingWeight });
    });
    const inherited = (terms.get(sections.parents[section] as number) ?? [])
      .map(({ term, frequency }) => ({ term, frequency: frequency * levelShare }))
      .filter(({ term, frequency }) => frequency >= minFrequency && !own.some((each) => each.term === term));
    if (own.length + inherited.length > 0) terms.set(section, [...own, ...inherited]);
  }
  return { bySection: terms, counts };
}
