import { toTermSet } from "../digest/terms.ts";
import type { Disagreement, Finding } from "./research-report.ts";

/** The minimum share of the shorter claim's words that both claims must contain to be compared. */
const minOverlap = 0.6;
/** The minimum number of shared words for a comparison, because short claims share words by chance. */
const minShared = 5;

const negation = /\b(?:not|never|no|cannot|\w+n['’]t|without|neither|nor)\b/i;

/**
 * Finds pairs of findings from different sources that are nearly equal but have different numbers, or of which only one
 * is negated. A pair is only a hint: the reader decides whether the sources contradict each other.
 */
export function findDisagreements(findings: readonly Finding[]): readonly Disagreement[] {
  const read = findings.map(readClaim);
  return read.flatMap((one, at) =>
    read.slice(at + 1).flatMap((other): readonly Disagreement[] => {
      const about = one.source === other.source ? undefined : compare(one, other);
      return about === undefined ? [] : [{ findings: [one.id, other.id], about }];
    }),
  );
}

interface ReadClaim {
  readonly id: string;
  readonly source: string | undefined;
  /** The words of the claim, without its numbers. */
  readonly terms: ReadonlySet<number>;
  readonly numbers: readonly string[];
  readonly isNegative: boolean;
}

function readClaim({ id, claim, citations: [first] }: Finding): ReadClaim {
  const numbers = claim.match(/\p{N}+(?:[.,]\p{N}+)*/gu) ?? [];
  const terms = toTermSet(claim.replace(/\p{N}+(?:[.,]\p{N}+)*/gu, " "));
  return { id, source: first?.source_id, terms, numbers, isNegative: negation.test(claim) };
}

function compare(one: ReadClaim, other: ReadClaim): Disagreement["about"] | undefined {
  let shared = 0;
  for (const term of one.terms) if (other.terms.has(term)) shared++;
  if (shared < minShared || shared < minOverlap * Math.min(one.terms.size, other.terms.size))
    return undefined;
  const isComparable = one.numbers.length > 0 && one.numbers.length === other.numbers.length;
  if (isComparable && one.numbers.join(" ") !== other.numbers.join(" ")) return "numbers";
  return one.isNegative === other.isNegative ? undefined : "negation";
}
