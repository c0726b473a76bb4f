import { isLineOfItsOwn } from "./markdown-blocks.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";

/** How much of a heading's score goes to the first sentence below it: it says what that is about. */
const headingShare = 0.3;

/** Scores without those of Markdown's headings and rules, which quote badly; of a text that has nothing else they stay. */
export function withoutHeadings(text: string, { count, starts }: Sentences, scores: Scores): Scores {
  const after = scores.slice();
  for (let at = 0; at < count; at++) {
    if (!isLineOfItsOwn(text, starts[at] as number)) continue;
    const share = (scores[at] as number) * headingShare;
    after[at] = 0;
    if (at + 1 < count && (scores[at + 1] as number) > 0)
      after[at + 1] = Math.min(1, (scores[at + 1] as number) + share);
  }
  return after.some((score) => score > 0) ? after : scores;
}
