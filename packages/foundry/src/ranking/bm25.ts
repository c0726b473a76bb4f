/**
 * The parameter of term saturation. The smaller k1 is, the less each further occurrence of a term adds to the score.
 */
export const k1 = 1.2;

/** Returns the inverse document frequency of a term, which is never negative. */
export function toIdf(documentFrequency: number, documents: number): number {
  return Math.log(1 + (documents - documentFrequency + 0.5) / (documentFrequency + 0.5));
}

/** Returns the contribution of a term to a BM25 score. `lengthNorm` is 1 for a text of average length. */
export function scoreTerm(idf: number, frequency: number, lengthNorm: number): number {
  return (idf * frequency * (k1 + 1)) / (frequency + k1 * lengthNorm);
}

/**
 * Returns the length normalization of BM25. `b` is its strength, and `relativeLength` is the length divided by the
 * average length.
 */
export function toLengthNorm(b: number, relativeLength: number): number {
  return 1 - b + b * relativeLength;
}

/** Returns the upper bound of the scores that terms with these weights can reach. */
export function maxScore(idfs: readonly number[]): number {
  return idfs.reduce((sum, idf) => sum + idf, 0) * (k1 + 1);
}
