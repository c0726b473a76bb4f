import type { Envelope, Fidelity } from "../envelope/envelope.ts";
import type { DescribeRemedy } from "../errors/remedy.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import type { DroppedPart } from "./reduce-data.ts";

/** Counts the tokens of a text; above the limit it may stop and return any greater number. */
export type TokenCounter = (text: string, limit: number) => number;

/** The options of `fitToBudget`. */
export interface FitOptions {
  /** The budget for the whole envelope, in tokens; 0 for none. */
  readonly maxTokens: number;
  /** The budget that the warning names, where another dialect of the response must fit it. @default maxTokens */
  readonly reportedTokens?: number | undefined;
  /** @default estimateTokens, an upper bound of o200k */
  readonly countTokens?: TokenCounter | undefined;
  /** Where the original `data` has been or will be stored; named in the response and counted with it. */
  readonly archive?: ArchiveReference | undefined;
  /** The paged list of `data`: instead of dropping its items, the page gets shorter. */
  readonly page?: PagedList | undefined;
}

/** A reference to archived content. */
export interface ArchiveReference {
  readonly id: string;
  /** `sha256:` and the hash of the minified JSON of the original `data`. */
  readonly hash: string;
  /** How to fetch it, in words. @default a call of the tool content, which the warning has as `remedy` too */
  readonly fetch?: string | undefined;
  /** Writes that call. @default as a call of a tool */
  readonly describeRemedy?: DescribeRemedy | undefined;
}

/** A paged list within `data`. */
export interface PagedList {
  /** The key of `data` that holds the rows. */
  readonly rows: string;
  /** The cursor that continues after the first `count` rows of this page. */
  cursorAfter(count: number): string;
}

/** The content that a response lacks. */
export interface Dropped {
  /** Names of dropped items, at most 100: an item's own id where no other has it, else its JSON Pointer. */
  readonly ids: readonly string[];
  /** The number of dropped items, entries, texts and fields. */
  readonly count: number;
  /** The number of items and entries before, in the containers that lost some. */
  readonly total: number;
  /** The exact position and size of each loss: with the response it gives the original back. */
  readonly parts: readonly DroppedPart[];
  /** The original payload, for the archive. */
  readonly data: UnknownRecord;
}

/** The result of `fitToBudget`. */
export interface FitResult {
  readonly envelope: Envelope;
  readonly fidelity: Fidelity;
  /** Null when the response is complete, or when only its page got shorter. */
  readonly dropped: Dropped | null;
}
