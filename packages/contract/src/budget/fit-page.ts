import type { Envelope, Pagination } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import type { UnknownRecord } from "../json/json-value.ts";
import type { FitResult } from "./budget-options.ts";
import { largestThatFits } from "./largest-that-fits.ts";
import { type Budget, countUpTo, usualTokenLength } from "./measure.ts";
import { reduceEnvelope } from "./reduce-envelope.ts";

/**
 * Removes rows from the end of a page until the response fits the budget, and sets a cursor that continues after the
 * last remaining row. If the payload without the list takes more than half of the budget, that part is reduced first.
 * If a single row exceeds the budget, the row itself is reduced.
 */
export function fitPage(envelope: Envelope, budget: Budget): FitResult | null {
  const { page, maxTokens } = budget;
  const rows = page === undefined || !envelope.success ? undefined : envelope.data[page.rows];
  if (page === undefined || !Array.isArray(rows) || rows.length === 0) return null;
  const half = { ...budget, maxTokens: maxTokens >> 1 };
  const withoutRows = withRows(envelope, page.rows, []);
  const rest: FitResult =
    countUpTo(withoutRows, usualTokenLength, half) === null
      ? reduceEnvelope(withoutRows, half)
      : { envelope: withoutRows, fidelity: envelope.meta.content_fidelity ?? "full", dropped: null };
  const shortenTo = (count: number): Envelope => {
    const shorter = withRows(rest.envelope, page.rows, rows.slice(0, count));
    if (count === rows.length) return shorter;
    const pagination = {
      ...envelope.meta.pagination,
      cursor: page.cursorAfter(count),
      has_more: true,
      page_size: count,
    };
    return { ...shorter, meta: orderMeta({ ...shorter.meta, pagination }) };
  };
  const fitted = largestThatFits({ smallest: 1, largest: rows.length + 1 }, maxTokens, (count) => {
    const result = shortenTo(count);
    const tokens = countUpTo(result, usualTokenLength, budget);
    return tokens === null ? null : { result, tokens };
  });
  if (fitted === null)
    return withActualPageSize(
      reduceEnvelope(withRows(shortenTo(1), page.rows, rows.slice(0, 1), envelope.data), budget),
      page.rows,
    );
  return { ...rest, envelope: fitted, dropped: rest.dropped && { ...rest.dropped, data: envelope.data } };
}

/** Sets `page_size` to the number of remaining rows, which is 0 if the only row was dropped. */
function withActualPageSize(result: FitResult, key: string): FitResult {
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
