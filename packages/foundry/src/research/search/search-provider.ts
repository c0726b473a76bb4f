import type { ExpandedDocument } from "../runs/run-deps.ts";

/** A document that a search found. */
export interface SearchHit extends ExpandedDocument {
  /** The relevance; scores of different providers are not comparable. */
  readonly score: number;
}

/** How a search is made. */
export interface SearchOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Finds documents by a query. */
export interface SearchProvider {
  readonly name: string;
  /** Returns hits, best first; throws a ContractError where the search fails. */
  search(query: string, options: SearchOptions): Promise<readonly SearchHit[]>;
}
