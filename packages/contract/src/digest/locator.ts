import { ContractError } from "../errors/contract-error.ts";
import { isShort } from "../errors/validation-error.ts";
import { codePointLength, sliceCodePoints } from "../text/code-points.ts";
import type { EvidenceSnippet } from "./digest-payload.ts";

/** A range of code points in the canonical text. */
export interface Locator {
  /** The first code point, counted from 0. */
  readonly start: number;
  /** The code point after the last. */
  readonly end: number;
  /** The page it stands on, counted from 1; the offsets count from the start of the whole text all the same. */
  readonly page?: number;
}

/** The two forms of a locator: `char:S-E` and `page:N:char:S-E`. */
export const locatorPattern = /^(?:page:([1-9][0-9]*):)?char:(0|[1-9][0-9]*)-(0|[1-9][0-9]*)$/;

/**
 * Reads a locator; anything but the two forms, with its end not before its start, is refused.
 *
 * @example
 * parseLocator("page:3:char:200-450"); // { start: 200, end: 450, page: 3 }
 */
export function parseLocator(text: string): Locator {
  const locator = readLocator(text);
  if (locator !== undefined) return locator;
  const shown = typeof text === "string" && isShort(text) ? text : undefined;
  const what = shown === undefined ? "the locator" : `the locator '${shown}'`;
  throw new ContractError(
    `Cannot read ${what}: it should be char:START-END or page:PAGE:char:START-END, with its end not before its start`,
    {
      errorCode: "INVALID_FORMAT",
      details: {
        field: "locator",
        constraint: "pattern",
        pattern: locatorPattern.source,
        ...(shown === undefined ? {} : { received: shown }),
      },
    },
  );
}

/** Writes a locator; a range that could not be read back is refused. */
export function formatLocator({ start, end, page }: Locator): string {
  const text = `${page === undefined ? "" : `page:${page}:`}char:${start}-${end}`;
  parseLocator(text);
  return text;
}

/** True for a text that `parseLocator` reads. */
export function isLocator(value: unknown): boolean {
  return readLocator(value) !== undefined;
}

function readLocator(value: unknown): Locator | undefined {
  const match = typeof value === "string" ? locatorPattern.exec(value) : null;
  if (match === null) return undefined;
  const [, page, start, end] = match;
  const locator = {
    start: Number(start),
    end: Number(end),
    ...(page === undefined ? {} : { page: Number(page) }),
  };
  // Beyond the safe integers two locators would read as the same number.
  const isExact = Object.values(locator).every(Number.isSafeInteger);
  return isExact && locator.start <= locator.end ? locator : undefined;
}

/**
 * True when the canonical text holds the snippet's text at its locator, as Python's
 * `canonical_text[start:end] == snippet.text` has it; never throws.
 */
export function verifySnippet(
  canonicalText: string,
  snippet: Pick<EvidenceSnippet, "text" | "locator">,
): boolean {
  try {
    const { start, end } = parseLocator(snippet.locator);
    // A slice stops silently at the end of the text, a citation must not reach beyond it.
    return (
      end <= codePointLength(canonicalText) && sliceCodePoints(canonicalText, start, end) === snippet.text
    );
  } catch {
    return false;
  }
}
