import type { QueryCounts } from "./query-postings.ts";

/** How soon another mention of a term says no more. */
export const saturation = 1.2;

/** What each term is worth: one that is everywhere tells nothing, and never less than nothing. */
export function toWeights({ counts, sentences }: QueryCounts): readonly number[] {
  return counts.map((count) => Math.log(1 + (sentences - count + 0.5) / (count + 0.5)));
}

/** What mentions of a term add to a score; `held` says how much a text of its length is held back, 1 for a usual one. */
export function gainOf(weight: number, count: number, held: number): number {
  return (weight * count * (saturation + 1)) / (count + saturation * held);
}

/** The most that a score can come to, whatever a text holds. */
export function mostOf(weights: readonly number[]): number {
  return weights.reduce((sum, weight) => sum + weight, 0) * (saturation + 1);
}
