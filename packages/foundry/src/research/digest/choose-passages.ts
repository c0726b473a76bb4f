import { findBest } from "./best-sentences.ts";
import type { Scores } from "./scores.ts";
import type { Sentences } from "./sentences.ts";

/** Between passages that do not follow each other. */
const gap = " … ";

/** As much of a text as somebody can read at once: all of it, or its best sentences in their order. */
export function choosePassages(text: string, sentences: Sentences, scores: Scores, most: number): string {
  if (text.length <= most) return text;
  const runs: { readonly first: number; last: number }[] = [];
  for (const at of chooseSentences(sentences, scores, most)) {
    const run = runs.at(-1);
    if (run?.last === at - 1) run.last = at;
    else runs.push({ first: at, last: at });
  }
  return runs.map(({ first, last }) => text.slice(sentences.starts[first], sentences.ends[last])).join(gap);
}

/** The best sentences for which there is room, in the order of the text. */
function chooseSentences({ starts, ends }: Sentences, scores: Scores, most: number): readonly number[] {
  const chosen: number[] = [];
  let room = most + gap.length;
  // Each takes a character and a gap at least.
  for (const at of findBest(scores, Math.ceil(room / (1 + gap.length)))) {
    const size = (ends[at] as number) - (starts[at] as number) + gap.length;
    if (size > room) continue;
    room -= size;
    chosen.push(at);
  }
  return chosen.sort((a, b) => a - b);
}
