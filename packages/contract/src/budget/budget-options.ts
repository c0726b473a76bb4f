import type { Envelope, Fidelity } from "../envelope/envelope.ts";
import type { DescribeRemedy } from "../errors/remedy.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import type { DroppedPart } from "./reduce-data.ts";

/**
 * Counts the tokens of a text. If the count exceeds the limit, the counter may stop and return any number
 * above the limit.
 */
export type TokenCounter = (text: string, limit: number) => number;

/** The options of `fitToBudget`. */
export interface FitOptions {
  /** The budget for the whole envelope, in tokens; 0 for no limit. */
  readonly maxTokens: number;
  /**
   * The budget that the warning names. This budget differs from `maxTokens` if the response is sent in
   * another dialect.
   * @default maxTokens
   */
  readonly reportedTokens?: number | undefined;
  /** The token counter. @default estimateTokens, an upper bound of the o200k token count */
  readonly countTokens?: TokenCounter | undefined;
  /**
   * The archived original of `data`. The response names the archived content, and this text counts towards
   * the budget.
   */
  readonly archive?: ArchiveReference | undefined;
  /** The paged list in `data`. Instead of dropping items from this list, `fitToBudget` shortens the page. */
  readonly page?: PagedList | undefined;
  /**
   * The keys of lists in `data` whose items are kept whole or dropped, such as quotes, which are worthless if they are
   * shortened. An item is shortened only if not even one item fits.
   */
  readonly wholeLists?: readonly string[] | undefined;
}

/** A reference to archived content. */
export interface ArchiveReference {
  readonly id: string;
  /** The hash of the minified JSON of the original `data`, in the form `sha256:` and 64 hex digits. */
  readonly hash: string;
  /**
   * A sentence that says how to fetch the content.
   * @default a call of the tool `content`, also sent as `remedy` in the warning
   */
  readonly fetch?: string | undefined;
  /** Formats the default call of the tool `content`. @default as a tool call */
  readonly describeRemedy?: DescribeRemedy | undefined;
}

/** A paged list within `data`. */
export interface PagedList {
  /** The key of the rows in `data`. */
  readonly rows: string;
  /** Returns the cursor that continues after the first `count` rows of this page. */
  cursorAfter(count: number): string;
}

/** The content that was dropped from a response. */
export interface Dropped {
  /** The names of the dropped items, at most 100: the item's id if it is unique, otherwise its JSON Pointer. */
  readonly ids: readonly string[];
  /** The number of dropped items, entries, texts and fields. */
  readonly count: number;
  /**
   * The original number of items and entries in all shortened lists and maps, plus one for each dropped text
   * or field.
   */
  readonly total: number;
  /** The exact position and size of each dropped part. */
  readonly parts: readonly DroppedPart[];
  /** The original payload, for the archive. */
  readonly data: UnknownRecord;
}

/** The result of `fitToBudget`. */
export interface FitResult {
  readonly envelope: Envelope;
  readonly fidelity: Fidelity;
  /** The dropped content; null if the response is complete or only its page was shortened. */
  readonly dropped: Dropped | null;
}
