import type { LoadedSet } from "./load-sets.ts";
import type { Stretch } from "./ranker.ts";

/** A sentence of a document, in code points. */
export interface Sentence extends Stretch {
  readonly text: string;
}

const segmenter = new Intl.Segmenter("en", { granularity: "sentence" });
const known = new WeakMap<LoadedSet, readonly Sentence[]>();

/**
 * Splits the blocks of a document into sentences, as Unicode defines them. The baselines do not use the sentences of the
 * digest, so that they stay the same when the digest changes.
 */
export function sentencesOf(set: LoadedSet): readonly Sentence[] {
  const sentences = known.get(set) ?? splitBlocks(set);
  known.set(set, sentences);
  return sentences;
}

function splitBlocks({ text, blocks, toCodePoints }: LoadedSet): readonly Sentence[] {
  return blocks.flatMap((block) =>
    Array.from(segmenter.segment(text.slice(block.start, block.end)), ({ segment, index }) => {
      const start = block.start + index;
      return { text: segment.trim(), ...toCodePoints({ start, end: start + segment.trimEnd().length }) };
    }).filter((sentence) => sentence.text !== ""),
  );
}
