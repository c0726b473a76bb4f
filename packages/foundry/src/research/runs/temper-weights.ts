import type { QueryTerms } from "../digest/query-terms.ts";

/** The share of a weight that does not depend on how rare the term is. */
const evenShare = 0.5;

/**
 * Makes the weights of terms more even. Among many sources, the rarest word of a question has the highest idf by far,
 * although the question is about its other words as much.
 */
export function temperWeights(weights: readonly number[], { terms }: QueryTerms): readonly number[] {
  const total = weights.reduce((sum, weight) => sum + weight, 0);
  const importance = terms.reduce((sum, { weight }) => sum + weight, 0) || 1;
  return weights.map(
    (weight, term) =>
      (1 - evenShare) * weight + evenShare * (total / importance) * (terms[term]?.weight ?? 1),
  );
}
