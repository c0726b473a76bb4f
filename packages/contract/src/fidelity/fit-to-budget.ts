import { isEnvelope } from "../check/check-envelope.ts";
import {
  type Envelope,
  type Fidelity,
  fidelityLevels,
  fidelitySchemaVersion,
  type Meta,
  type Pagination,
} from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { encodeEnvelope } from "../envelope/serialize-envelope.ts";
import { validationError } from "../errors/validation-error.ts";
import { isWellFormedJson } from "../json/is-well-formed-json.ts";
import { isWritableJson } from "../json/is-writable-json.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import { estimateTokens } from "../tokens/estimate-tokens.ts";
import { warning } from "../warnings/warnings.ts";
import { largestThatFits } from "./largest-that-fits.ts";
import { type DroppedPart, namesOf, type Reduction, reduceData } from "./reduce-data.ts";
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
export function fitToBudget(envelope: Envelope<object>, options: FitOptions): FitResult {
  const { maxTokens, countTokens = estimateTokens } = options;
  if (!Number.isSafeInteger(maxTokens) || maxTokens < 0) {
    throw validationError({
      field: "max_tokens",
      constraint: "type",
      expected: "a whole number, 0 for no budget",
      received: maxTokens,
    });
  }
  const sent = toSent(envelope);
  const whole: FitResult = { envelope: sent, fidelity: sent.meta.content_fidelity ?? "full", dropped: null };
  const budget: Budget = { ...options, countTokens, keysOf: new WeakMap(), wholeBudget: maxTokens };
  if (maxTokens === 0 || countUpTo(sent, longestToken, budget) !== null) return whole;
  const fitted = fitPage(sent, budget) ?? reduce(sent, budget);
  // Where nothing fits, the notice of what is missing can be longer than what is.
  const isFit = countUpTo(fitted.envelope, longestToken, budget) !== null;
  return isFit || isShorter(fitted.envelope, sent) ? fitted : whole;
}

/** What will be sent: the envelope itself, or what becomes of one that JSON cannot hold as it is. */
function toSent(envelope: Envelope<object>): Envelope {
  try {
    if (isEnvelope(envelope) && isWritableJson(envelope) && isWellFormedJson(envelope))
      return envelope as Envelope;
  } catch {
    // A getter threw: what is sent says so.
  }
  return encodeEnvelope(envelope).envelope;
}

function isShorter(fitted: Envelope, whole: Envelope): boolean {
  const { length } = JSON.stringify(fitted);
  return isLongerThan(whole, length) || length < JSON.stringify(whole).length;
}

interface Budget extends FitOptions {
  readonly countTokens: TokenCounter;
  readonly keysOf: Reduction["keysOf"];
  /** The budget that the caller gave, where only a share of it is to be used. */
  readonly wholeBudget: number;
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

/**
 * Sends fewer rows and a cursor that continues after them. What stands beside the rows is reduced first
 * where it takes more than half of the budget; a single row that is too long by itself is reduced too.
 */
function fitPage(envelope: Envelope, budget: Budget): FitResult | null {
  const { page, maxTokens } = budget;
  const rows = page === undefined || !envelope.success ? undefined : envelope.data[page.rows];
  if (page === undefined || !Array.isArray(rows) || rows.length === 0) return null;
  const half = { ...budget, maxTokens: maxTokens >> 1 };
  const rest = withRows(envelope, page.rows, []);
  const beside =
    countUpTo(rest, usualToken, half) === null
      ? reduce(rest, half)
      : { envelope: rest, fidelity: envelope.meta.content_fidelity ?? "full", dropped: null };
  const shortenTo = (count: number): Envelope => {
    const shorter = withRows(beside.envelope, page.rows, rows.slice(0, count));
    if (count === rows.length) return shorter;
    const pagination = {
      ...envelope.meta.pagination,
      cursor: page.cursorAfter(count),
      has_more: true,
      page_size: count,
    };
    return { ...shorter, meta: orderMeta({ ...shorter.meta, pagination }) };
  };
  const fitted = largestThatFits(1, rows.length + 1, maxTokens, (count) => {
    const result = shortenTo(count);
    const tokens = countUpTo(result, usualToken, budget);
    return tokens === null ? null : { result, tokens };
  });
  if (fitted === null)
    return withTrueSize(
      reduce(withRows(shortenTo(1), page.rows, rows.slice(0, 1), envelope.data), budget),
      page.rows,
    );
  return {
    ...beside,
    envelope: fitted,
    dropped: beside.dropped && { ...beside.dropped, data: envelope.data },
  };
}

/** The page size counts the rows that were sent, also when the only one was left out. */
function withTrueSize(result: FitResult, key: string): FitResult {
  const { data, meta } = result.envelope;
  const rows = (data as UnknownRecord)[key];
  const pagination = { ...(meta.pagination as Pagination), page_size: Array.isArray(rows) ? rows.length : 0 };
  return { ...result, envelope: { ...result.envelope, meta: { ...meta, pagination } } as Envelope };
}

function withRows(
  envelope: Envelope,
  key: string,
  rows: readonly unknown[],
  data: UnknownRecord = envelope.data,
): Envelope {
  return { ...envelope, data: { ...data, [key]: rows } } as Envelope;
}

/** Tries one level after the other, on each the longest lists that fit. */
function reduce(given: Envelope, budget: Budget): FitResult {
  const envelope = { ...given, meta: shortenMeta(given.meta, budget) } as Envelope;
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

const mostWarnings = 5;

/** Warnings by the thousand do not push the payload out: the first few stand for them. */
function shortenMeta(meta: Meta, { maxTokens }: Budget): Meta {
  const { warnings = [], warning_details: details = [] } = meta;
  const most = Math.max(warnings.length, details.length);
  if (!isLongerThan([warnings, details], maxTokens) || most <= mostWarnings) return meta;
  const note = `${most - mostWarnings} further warnings were left out`;
  return {
    ...meta,
    warnings: [...warnings.slice(0, mostWarnings), note],
    warning_details: details.slice(0, mostWarnings),
  };
}

/** What a failure keeps whatever happens. */
const protectedKeys = ["error_code", "error_type", "remediation"];

function reduceTo(
  envelope: Envelope,
  level: ReductionLevel,
  longestList: number,
  budget: Budget,
): FitResult | null {
  const { maxTokens, keysOf } = budget;
  const { kept, rest } = splitProtected(envelope);
  const reduced = reduceData(rest, { level, longestList, mostCharacters: maxTokens * usualToken, keysOf });
  if (reduced === null) return null;
  const dropped = describeDropped(reduced.parts, rest, envelope.data, maxTokens);
  const fidelity = lowerOf(level.fidelity, envelope.meta.content_fidelity ?? "full");
  const meta = markReduced(envelope.meta, fidelity, dropped, budget);
  return {
    envelope: { ...envelope, data: { ...kept, ...reduced.data }, meta } as Envelope,
    fidelity,
    dropped,
  };
}

function lowerOf(a: Fidelity, b: Fidelity): Fidelity {
  return fidelityLevels.indexOf(a) > fidelityLevels.indexOf(b) ? a : b;
}

/** What stays of `meta` when nothing else does. */
const lastKeys = [
  "version",
  "request_id",
  "pagination",
  "content_fidelity_schema_version",
  "content_fidelity",
  "content_archive_hashes",
];

/** No payload, and of meta only what says where it went; with the notice where there is room for it. */
function smallest(envelope: Envelope, budget: Budget): FitResult {
  const [level] = reductionLevels.slice(-1) as [ReductionLevel];
  const result = reduceTo(envelope, level, 0, budget) as FitResult & { dropped: Dropped };
  const { warnings = [] } = result.envelope.meta;
  const bare = Object.fromEntries(
    Object.entries(result.envelope.meta).filter(([key]) => lastKeys.includes(key)),
  );
  const told = {
    ...result.envelope,
    meta: orderMeta({ ...bare, warnings: warnings.slice(-1) } as unknown as Meta),
  } as Envelope;
  const isTold = countUpTo(told, longestToken, budget) !== null;
  return {
    ...result,
    envelope: isTold ? told : ({ ...told, meta: bare } as unknown as Envelope),
    dropped: { ...result.dropped, ids: [] },
  };
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

function markReduced(
  meta: Meta,
  fidelity: Fidelity,
  dropped: Dropped,
  { archive, wholeBudget }: Budget,
): Meta {
  const fetch =
    archive && (archive.fetch ?? `content(action="get", archive_id=${JSON.stringify(archive.id)})`);
  const advice = fetch === undefined ? "ask for less to see all of it" : `fetch all of it with ${fetch}`;
  const detail = warning(
    "CONTENT_TRUNCATED",
    `${dropped.count} of ${dropped.total} parts left out to fit ${wholeBudget} tokens; ${advice}`,
    {
      dropped_count: dropped.count,
      total_count: dropped.total,
      reason: "token_limit_exceeded",
      ...(fetch === undefined ? {} : { fetch }),
    },
  );
  const ids = [...(meta.dropped_content_ids ?? []), ...dropped.ids].slice(0, mostIds);
  return orderMeta({
    ...meta,
    warnings: [...(meta.warnings ?? []), detail.message],
    warning_details: [...(meta.warning_details ?? []), detail],
    content_fidelity_schema_version: fidelitySchemaVersion,
    content_fidelity: fidelity,
    ...(ids.length === 0 ? {} : { dropped_content_ids: ids }),
    ...(archive === undefined
      ? {}
      : { content_archive_hashes: { ...meta.content_archive_hashes, [archive.id]: archive.hash } }),
  });
}
