import { ContractError } from "../errors/contract-error.ts";
import { isQuotable } from "../errors/quotable.ts";
import { codePointLength, sliceCodePoints } from "../text/code-points.ts";
import type { EvidenceSnippet } from "./digest-payload.ts";

/** A range of code points in the canonical text. */
export interface Locator {
  /** The first code point, counted from 0. */
  readonly start: number;
  /** The end of the range, exclusive: one past the last code point. */
  readonly end: number;
  /** The page, counted from 1; offsets always count from the start of the whole text, not of the page. */
  readonly page?: number;
}

/** The two forms of a locator: `char:S-E` and `page:N:char:S-E`. */
export const locatorPattern = /^(?:page:([1-9][0-9]*):)?char:(0|[1-9][0-9]*)-(0|[1-9][0-9]*)$/;

/**
 * Parses a locator; throws for any other form and for a range whose end is before its start.
 *
 * @example
 * parseLocator("page:3:char:200-450"); // { start: 200, end: 450, page: 3 }
 */
export function parseLocator(text: string): Locator {
  const locator = matchLocator(text);
  if (locator !== undefined) return locator;
  const quotable = typeof text === "string" && isQuotable(text) ? text : undefined;
  const subject = quotable === undefined ? "the locator" : `the locator '${quotable}'`;
  throw new ContractError(
    `Cannot read ${subject}: it should be char:START-END or page:PAGE:char:START-END, with its end not before its start`,
    {
      errorCode: "INVALID_FORMAT",
      details: {
        field: "locator",
        constraint: "pattern",
        pattern: locatorPattern.source,
        ...(quotable === undefined ? {} : { received: quotable }),
      },
    },
  );
}

/** Formats a locator; throws for a range that `parseLocator` would not accept. */
export function formatLocator({ start, end, page }: Locator): string {
  const text = `${page === undefined ? "" : `page:${page}:`}char:${start}-${end}`;
  parseLocator(text);
  return text;
}

/** True for a text that `parseLocator` accepts. */
export function isLocator(value: unknown): boolean {
  return matchLocator(value) !== undefined;
}

function matchLocator(value: unknown): Locator | undefined {
  const match = typeof value === "string" ? locatorPattern.exec(value) : null;
  if (match === null) return undefined;
  const [, page, start, end] = match;
  const locator = {
    start: Number(start),
    end: Number(end),
    ...(page === undefined ? {} : { page: Number(page) }),
  };
  // Beyond the safe integers, two different offsets could be parsed as the same number.
  const isExact = Object.values(locator).every(Number.isSafeInteger);
  return isExact && locator.start <= locator.end ? locator : undefined;
}

/**
 * True when the canonical text contains the snippet at its locator, like Python's
 * `canonical_text[start:end] == snippet.text`; never throws.
 */
export function verifySnippet(
  canonicalText: string,
  snippet: Pick<EvidenceSnippet, "text" | "locator">,
): boolean {
  try {
    const { start, end } = parseLocator(snippet.locator);
    // Slicing stops silently at the end of the text, but a snippet must not extend beyond the end.
    return (
      end <= codePointLength(canonicalText) && sliceCodePoints(canonicalText, start, end) === snippet.text
    );
  } catch {
    return false;
  }
}
