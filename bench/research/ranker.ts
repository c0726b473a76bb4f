import { encode } from "gpt-tokenizer/encoding/o200k_base";
import type { LoadedSet } from "./load-sets.ts";

/** A part of a canonical text, in code points. */
export interface Stretch {
  readonly start: number;
  readonly end: number;
}

/** How well an answer says that it answers the question. */
export const confidences = ["strong", "weak", "none"] as const;
export type Confidence = (typeof confidences)[number];

/** The answer to one question. */
export interface Ranked {
  /** The passages, best first. */
  readonly passages: readonly Stretch[];
  /** Undefined if the ranker does not tell it. */
  readonly confidence?: Confidence | undefined;
  /** The number of o200k tokens that the asker reads. */
  readonly tokens: number;
}

/** A way to find the passages of a document that answer a question. */
export interface Ranker {
  readonly name: string;
  rank(question: string, set: LoadedSet): Promise<Ranked>;
}

/** The number of passages that are looked at. It is the number that a digest has by default. */
export const passagesLookedAt = 5;

/** Counts the o200k tokens of a text. */
export const countTokens = (text: string): number => encode(text).length;
