import type { ExpandedDocument } from "../runs/run-deps.ts";

/** A document that a search found. */
export interface SearchHit extends ExpandedDocument {
  /** The relevance. Scores of different providers are not comparable. */
  readonly score: number;
}

/** The options of a search. */
export interface SearchOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Finds documents by a query. */
export interface SearchProvider {
  readonly name: string;
  /** Returns hits, sorted with the best hit first. Throws a ContractError if the search fails. */
  search(query: string, options: SearchOptions): Promise<readonly SearchHit[]>;
}
