import type { Envelope, Fidelity } from "../envelope/envelope.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import type { DroppedPart } from "./reduce-data.ts";

/** Counts the tokens of a text; once past the limit it may stop and return any greater number. */
export type TokenCounter = (text: string, limit: number) => number;

/** How an answer is to be fitted. */
export interface FitOptions {
  /** The budget for the whole envelope, in tokens; 0 for none. */
  readonly maxTokens: number;
  /** The budget that the notice names, where another form of the answer must fit it. @default maxTokens */
  readonly toldTokens?: number | undefined;
  /** @default estimateTokens, an upper bound of o200k */
  readonly countTokens?: TokenCounter | undefined;
  /** Where the original `data` has been or will be stored; named in the answer and counted with it. */
  readonly archive?: ArchiveReference | undefined;
  /** The list of `data` that is paged: it is never thinned, the page gets shorter instead. */
  readonly page?: PagedList | undefined;
}

/** Archived content. */
export interface ArchiveReference {
  readonly id: string;
  /** `sha256:` and the hash of the minified JSON of the original `data`. */
  readonly hash: string;
  /** The call that fetches it. @default content(action="get", archive_id="…") */
  readonly fetch?: string;
}

/** A paged list within `data`. */
export interface PagedList {
  /** The key of `data` that holds the rows. */
  readonly rows: string;
  /** The cursor that continues after the first `count` rows of this page. */
  cursorAfter(count: number): string;
}

/** What was left out of an answer. */
export interface Dropped {
  /** Names of what was dropped, at most 100: an item's own id where no other has it, else its JSON Pointer. */
  readonly ids: readonly string[];
  /** How many things were dropped. */
  readonly count: number;
  /** How many there were in the lists and texts that were cut. */
  readonly total: number;
  /** Exactly what was dropped where: with the answer it gives the original back. */
  readonly parts: readonly DroppedPart[];
  /** The original payload, for the archive. */
  readonly data: UnknownRecord;
}

/** A fitted answer. */
export interface FitResult {
  readonly envelope: Envelope;
  readonly fidelity: Fidelity;
  /** Null when the answer is whole, or when only its page got shorter. */
  readonly dropped: Dropped | null;
}
