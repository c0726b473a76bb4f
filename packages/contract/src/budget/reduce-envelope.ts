import {
  type Envelope,
  type Fidelity,
  fidelityLevels,
  fidelitySchemaVersion,
  type Meta,
} from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { warning } from "../envelope/warnings.ts";
import { describeRemedy } from "../errors/remedy.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import type { ArchiveReference, Dropped, FitResult } from "./budget-options.ts";
import { largestThatFits } from "./largest-that-fits.ts";
import {
  type Budget,
  countUpTo,
  estimateFittingLength,
  isLongerThan,
  maxTokenLength,
  usualTokenLength,
} from "./measure.ts";
import { nameDropped } from "./name-dropped.ts";
import { type DroppedPart, reduceData } from "./reduce-data.ts";
import { type ReductionLevel, reductionLevels } from "./reduction-levels.ts";

/**
 * Reduces an envelope to the first reduction level that fits the budget, with the longest lists that fit at this
 * level.
 */
export function reduceEnvelope(given: Envelope, budget: Budget): FitResult {
  const envelope = { ...given, meta: shortenMeta(given.meta, budget) } as Envelope;
  // If only the warnings were too long, the payload stays complete.
  if (envelope.meta !== given.meta && countUpTo(envelope, maxTokenLength, budget) !== null) {
    return { envelope, fidelity: envelope.meta.content_fidelity ?? "full", dropped: null };
  }
  const largest = budget.maxTokens * usualTokenLength;
  // Without an estimate, the search starts with two characters per token.
  const guess = estimateFittingLength(envelope.data, budget) ?? 2 * budget.maxTokens;
  for (const level of levelsFor(budget)) {
    const fitted = largestThatFits({ smallest: 0, largest, guess }, budget.maxTokens, (maxListLength) => {
      const result = reduceTo(envelope, level, maxListLength, budget);
      const tokens = result === null ? null : countUpTo(result.envelope, maxTokenLength, budget);
      return result === null || tokens === null ? null : { result, tokens };
    });
    if (fitted !== null) return fitted;
  }
  return toSmallest(envelope, budget);
}

/** Returns the levels to try. Without whole lists, two of the levels are the same. */
function levelsFor({ wholeLists = [] }: Budget): readonly ReductionLevel[] {
  return wholeLists.length > 0
    ? reductionLevels
    : reductionLevels.filter(({ cutsTexts, cutsItems }) => !cutsTexts || cutsItems);
}

const maxWarnings = 5;

/** Keeps only the first few warnings if there are too many, so that the payload has room. */
function shortenMeta(meta: Meta, { maxTokens }: Budget): Meta {
  const { warnings = [], warning_details: details = [] } = meta;
  const count = Math.max(warnings.length, details.length);
  if (!isLongerThan([warnings, details], maxTokens) || count <= maxWarnings) return meta;
  const note = `${count - maxWarnings} further warnings were left out`;
  return {
    ...meta,
    warnings: [...warnings.slice(0, maxWarnings), note],
    warning_details: details.slice(0, maxWarnings),
  };
}

/** The keys of `data` that a failure keeps at every level. */
const protectedKeys = ["error_code", "error_type", "remediation"];

function reduceTo(
  envelope: Envelope,
  level: ReductionLevel,
  maxListLength: number,
  budget: Budget,
): FitResult | null {
  const { maxTokens, keysOf } = budget;
  const { kept, rest } = splitProtected(envelope);
  const reduced = reduceData(rest, {
    level,
    maxListLength,
    maxCharacters: maxTokens * usualTokenLength,
    keysOf,
    wholeLists: budget.wholeLists,
  });
  if (reduced === null) return null;
  const dropped = describeDropped(reduced.parts, rest, envelope.data, budget);
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

/** The keys of `meta` that the smallest envelope keeps. */
const essentialMetaKeys = [
  "version",
  "request_id",
  "pagination",
  "content_fidelity_schema_version",
  "content_fidelity",
  "content_archive_hashes",
];

/** Drops the payload and all metadata except the essential keys; keeps the last warning if it fits. */
function toSmallest(envelope: Envelope, budget: Budget): FitResult {
  const [level] = reductionLevels.slice(-1) as [ReductionLevel];
  const result = reduceTo(envelope, level, 0, budget) as FitResult & { dropped: Dropped };
  const { warnings = [], warning_details: details = [] } = result.envelope.meta;
  const bare = Object.fromEntries(
    Object.entries(result.envelope.meta).filter(([key]) => essentialMetaKeys.includes(key)),
  );
  const withWarning = { ...bare, warnings: warnings.slice(-1) };
  const candidates = [{ ...withWarning, warning_details: details.slice(-1) }, withWarning].map(
    (meta) => ({ ...result.envelope, meta: orderMeta(meta as unknown as Meta) }) as Envelope,
  );
  const fitting = candidates.find((candidate) => countUpTo(candidate, maxTokenLength, budget) !== null);
  return {
    ...result,
    envelope: fitting ?? ({ ...result.envelope, meta: bare } as unknown as Envelope),
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

const maxIds = 100;

function describeDropped(
  parts: readonly DroppedPart[],
  rest: UnknownRecord,
  data: UnknownRecord,
  budget: Budget,
): Dropped {
  let count = 0;
  let total = 0;
  for (const part of parts) {
    const isList = part.kind === "items" || part.kind === "entries";
    count += isList ? part.total - part.kept : 1;
    total += isList ? part.total : 1;
  }
  const ids = nameDropped(parts, rest, Math.min(maxIds, Math.floor(budget.maxTokens / 50)), budget);
  return { ids, count, total, parts, data };
}

/** Describes how to fetch the complete content: as a sentence, and as data for programs. */
function toFetch({ id, fetch, describeRemedy: write = describeRemedy }: ArchiveReference) {
  if (fetch !== undefined) return { text: fetch, context: { fetch } };
  const remedy = { tool: "content", action: "get", arguments: { archive_id: id } };
  return { text: write(remedy), context: { remedy } };
}

function markReduced(
  meta: Meta,
  fidelity: Fidelity,
  dropped: Dropped,
  { archive, wholeBudget }: Budget,
): Meta {
  const fetch = archive && toFetch(archive);
  const advice =
    fetch === undefined
      ? "ask for less, or for no budget, to see all of it"
      : `fetch all of it with ${fetch.text}`;
  const detail = warning(
    "CONTENT_TRUNCATED",
    `${dropped.count} of ${dropped.total} parts left out to fit ${wholeBudget} tokens; ${advice}`,
    {
      dropped_count: dropped.count,
      total_count: dropped.total,
      reason: "token_limit_exceeded",
      ...fetch?.context,
    },
  );
  const ids = [...(meta.dropped_content_ids ?? []), ...dropped.ids].slice(0, maxIds);
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
