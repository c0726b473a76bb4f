import { isHeadingOrRule } from "./markdown-blocks.ts";
import { countSentences, findPostings, type QueryCounts } from "./query-postings.ts";
import { rankByCentrality } from "./rank-by-centrality.ts";
import { rankPostings } from "./rank-by-query.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";

/** The scores of the sentences of a text. */
export interface RankedSentences {
  readonly scores: Scores;
  /** False where no term of the query occurs in the text. */
  readonly isMatch: boolean;
  /** Undefined where there is no query. */
  readonly queryCounts?: QueryCounts;
}

/** Ranks sentences by the query; by centrality where there is no query, or none of its terms occurs. */
export function rankSentences(text: string, sentences: Sentences, query: string): RankedSentences {
  if (query.trim() === "")
    return { scores: demoteHeadings(text, sentences, rankByCentrality(text, sentences)), isMatch: true };
  const postings = findPostings(text, sentences, query);
  const byQuery = rankPostings(sentences, postings);
  const isMatch = byQuery.some((score) => score > 0);
  const scores = isMatch ? byQuery : rankByCentrality(text, sentences);
  return {
    scores: demoteHeadings(text, sentences, scores),
    isMatch,
    queryCounts: countSentences(postings),
  };
}

/** The share of a heading's score that goes to the first sentence below it. */
const headingShare = 0.3;

/** Sets the scores of Markdown headings and rules, which make poor quotes, to 0, unless the text has nothing else. */
export function demoteHeadings(text: string, { count, starts }: Sentences, scores: Scores): Scores {
  const demoted = scores.slice();
  for (let at = 0; at < count; at++) {
    if (!isHeadingOrRule(text, starts[at] as number)) continue;
    const share = (scores[at] as number) * headingShare;
    demoted[at] = 0;
    if (at + 1 < count && (scores[at + 1] as number) > 0)
      demoted[at + 1] = Math.min(1, (scores[at + 1] as number) + share);
  }
  return demoted.some((score) => score > 0) ? demoted : scores;
}
