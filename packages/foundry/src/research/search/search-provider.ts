import type { DocumentSource } from "../documents/document-source.ts";

/** A document that a search found. */
export interface SearchHit {
  readonly source: DocumentSource;
  readonly title?: string | undefined;
  /** How well it fits; the higher the better, and nothing to be held against those of another provider. */
  readonly score: number;
}

/** How a search is made. */
export interface SearchOptions {
  readonly limit: number;
  readonly signal: AbortSignal;
}

/** Something that finds documents by words. */
export interface SearchProvider {
  readonly name: string;
  /** What fits, the best first. Throws a ContractError that says why where it cannot search. */
  search(query: string, options: SearchOptions): Promise<readonly SearchHit[]>;
}
