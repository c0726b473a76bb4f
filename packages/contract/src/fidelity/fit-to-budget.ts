import { type Envelope, type Fidelity, fidelitySchemaVersion, type Meta } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { encodeEnvelope } from "../envelope/serialize-envelope.ts";
import { validationError } from "../errors/validation-error.ts";
import { isWritableJson } from "../json/is-writable-json.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { warning } from "../warnings/warnings.ts";
import { largestThatFits } from "./largest-that-fits.ts";
import { type DroppedPart, namesOf, reduceData } from "./reduce-data.ts";
import { type ReductionLevel, reductionLevels } from "./reduction-levels.ts";
import { isLongerThan, longestToken } from "./text-size.ts";

/** Counts the tokens of a text; once past the limit it may stop and return any greater number. */
export type TokenCounter = (text: string, limit: number) => number;

/** How an answer is to be fitted. */
export interface FitOptions {
  /** The budget for the whole envelope, in tokens; 0 for none. */
  readonly maxTokens: number;
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
  /** Names of what was dropped, at most 100: an item's own id, else its JSON Pointer. */
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

/**
 * Fits an answer into a token budget, measured on the final text. Pure: the original payload is handed
 * back for the archive, storing it is the caller's affair. Below the smallest possible envelope that
 * one is returned. A failure always keeps code, type, message and remediation.
 */
export function fitToBudget(given: Envelope<object>, options: FitOptions): FitResult {
  const envelope = given as Envelope;
  const { maxTokens } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 0) {
    throw validationError({
      field: "max_tokens",
      constraint: "type",
      expected: "a whole number, 0 for no budget",
      received: maxTokens,
    });
  }
  const whole: FitResult = { envelope, fidelity: envelope.meta.content_fidelity ?? "full", dropped: null };
  if (maxTokens === 0) return whole;
  // What JSON cannot hold becomes what will be sent, before its size is looked at.
  const sent = isWritableJson(envelope) ? envelope : encodeEnvelope(envelope).envelope;
  const budget: Budget = { ...options, countTokens: options.countTokens ?? estimateTokens };
  if (countUpTo(sent, longestToken, budget) !== null)
    return sent === envelope ? whole : { ...whole, envelope: sent };
  return fitPage(sent, budget) ?? reduce(sent, budget);
}

interface Budget extends FitOptions {
  readonly countTokens: TokenCounter;
}

/** A text of more characters than this for each token of the budget is not worth counting when it may be shortened further. */
const usualToken = 16;

/** The tokens of an envelope, or null when there are more than the budget allows. */
function countUpTo(
  envelope: Envelope,
  charactersPerToken: number,
  { maxTokens, countTokens }: Budget,
): number | null {
  if (isLongerThan(envelope, maxTokens * charactersPerToken)) return null;
  const text = JSON.stringify(envelope);
  // A token is at least a byte, and a code unit at most three: most answers need no counting.
  if (text.length * 3 <= maxTokens) return text.length * 3;
  const tokens = countTokens(text, maxTokens);
  return tokens <= maxTokens ? tokens : null;
}

/** Sends fewer rows and a cursor that continues after them; a single row that is too long by itself is reduced. */
function fitPage(envelope: Envelope, budget: Budget): FitResult | null {
  const { page, maxTokens } = budget;
  const rows = page === undefined || !envelope.success ? undefined : envelope.data[page.rows];
  if (page === undefined || !envelope.success || !Array.isArray(rows) || rows.length === 0) return null;
  const shortenTo = (count: number): Envelope => {
    if (count >= rows.length) return envelope;
    const { total_count } = envelope.meta.pagination ?? {};
    const total = total_count === undefined ? {} : { total_count };
    const pagination = { cursor: page.cursorAfter(count), has_more: true, ...total, page_size: count };
    const data = { ...envelope.data, [page.rows]: rows.slice(0, count) };
    return { ...envelope, data, meta: orderMeta({ ...envelope.meta, pagination }) };
  };
  const shorter = largestThatFits(1, rows.length, maxTokens, (count) => {
    const result = shortenTo(count);
    const tokens = countUpTo(result, usualToken, budget);
    return tokens === null ? null : { result, tokens };
  });
  if (shorter !== null)
    return { envelope: shorter, fidelity: envelope.meta.content_fidelity ?? "full", dropped: null };
  return reduce(shortenTo(1), budget);
}

/** Tries one level after the other, on each the longest lists that fit. */
function reduce(envelope: Envelope, budget: Budget): FitResult {
  for (const level of reductionLevels) {
    const fitted = largestThatFits(0, budget.maxTokens * usualToken, budget.maxTokens, (longestList) => {
      const result = reduceTo(envelope, level, longestList, budget);
      const tokens = result === null ? null : countUpTo(result.envelope, longestToken, budget);
      return result === null || tokens === null ? null : { result, tokens };
    });
    if (fitted !== null) return fitted;
  }
  return smallest(envelope, budget);
}

/** What a failure keeps whatever happens. */
const protectedKeys = ["error_code", "error_type", "remediation"];

function reduceTo(
  envelope: Envelope,
  level: ReductionLevel,
  longestList: number,
  budget: Budget,
): FitResult | null {
  const { kept, rest } = splitProtected(envelope);
  const reduced = reduceData(rest, { level, longestList, mostCharacters: budget.maxTokens * usualToken });
  if (reduced === null) return null;
  const dropped = describeDropped(reduced.parts, rest, envelope.data, budget.maxTokens);
  const meta = markReduced(envelope.meta, level.fidelity, dropped, budget);
  return {
    envelope: { ...envelope, data: { ...kept, ...reduced.data }, meta } as Envelope,
    fidelity: level.fidelity,
    dropped,
  };
}

/** No payload, and of meta only what says where it went; with the notice where there is room for it. */
function smallest(envelope: Envelope, budget: Budget): FitResult {
  const [level] = reductionLevels.slice(-1) as [ReductionLevel];
  const { dropped, envelope: marked } = reduceTo(envelope, level, 0, budget) as FitResult & {
    dropped: Dropped;
  };
  const { warning_details: _, warnings, dropped_content_ids: __, ...meta } = marked.meta;
  const told = { ...meta, warnings: warnings?.slice(-1) };
  const kept = [
    "version",
    "request_id",
    "pagination",
    "content_fidelity_schema_version",
    "content_fidelity",
    "content_archive_hashes",
  ];
  const bare = Object.fromEntries(Object.entries(meta).filter(([key]) => kept.includes(key)));
  const [result] = [told, bare]
    .map((each) => ({ ...marked, meta: orderMeta(each as unknown as Meta) }) as Envelope)
    .filter((each, index) => index === 1 || countUpTo(each, longestToken, budget) !== null);
  return { envelope: result as Envelope, fidelity: level.fidelity, dropped: { ...dropped, ids: [] } };
}

function splitProtected(envelope: Envelope): { kept: UnknownRecord; rest: UnknownRecord } {
  if (envelope.success) return { kept: {}, rest: envelope.data };
  const kept: Record<string, unknown> = {};
  const rest: Record<string, unknown> = {};
  for (const key of Object.keys(envelope.data)) {
    setOwn(protectedKeys.includes(key) ? kept : rest, key, envelope.data[key]);
  }
  return { kept, rest };
}

const mostIds = 100;

function describeDropped(
  parts: readonly DroppedPart[],
  rest: UnknownRecord,
  data: UnknownRecord,
  maxTokens: number,
): Dropped {
  let count = 0;
  let total = 0;
  for (const part of parts) {
    const isList = part.kind === "items" || part.kind === "entries";
    count += isList ? part.total - part.kept : 1;
    total += isList ? part.total : 1;
  }
  // The names may take a share of the budget, not all of it.
  const ids = namesOf(parts, rest, Math.min(mostIds, Math.floor(maxTokens / 50)));
  return { ids, count, total, parts, data };
}

function markReduced(meta: Meta, fidelity: Fidelity, dropped: Dropped, { archive, maxTokens }: Budget): Meta {
  const fetch =
    archive === undefined
      ? undefined
      : (archive.fetch ?? `content(action="get", archive_id=${JSON.stringify(archive.id)})`);
  const advice = fetch === undefined ? "ask for less to see all of it" : `fetch all of it with ${fetch}`;
  const detail = warning(
    "CONTENT_TRUNCATED",
    `${dropped.count} of ${dropped.total} parts left out to fit ${maxTokens} tokens; ${advice}`,
    {
      dropped_count: dropped.count,
      total_count: dropped.total,
      reason: "token_limit_exceeded",
      ...(fetch === undefined ? {} : { fetch }),
    },
  );
  return orderMeta({
    ...meta,
    warnings: [...(meta.warnings ?? []), detail.message],
    warning_details: [...(meta.warning_details ?? []), detail],
    content_fidelity_schema_version: fidelitySchemaVersion,
    content_fidelity: fidelity,
    ...(dropped.ids.length === 0 ? {} : { dropped_content_ids: dropped.ids }),
    ...(archive === undefined
      ? {}
      : { content_archive_hashes: { ...meta.content_archive_hashes, [archive.id]: archive.hash } }),
  });
}
