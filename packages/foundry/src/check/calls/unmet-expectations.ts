import { isRecord } from "@foundry-mcp/contract";
import { toFieldPath } from "../../servers/config-errors.ts";
import type { ExpectedCall } from "./calls-file.ts";

/** The parts of an answer that expectations are about, in any dialect. */
export interface ObservedAnswer {
  /** True for a success and false for a failure. Undefined if the call received no answer. */
  readonly success: boolean | undefined;
  readonly errorCode: string | undefined;
  readonly data: unknown;
}

/** Maximum number of differences that are reported. */
const maxReported = 10;
const maxShownLength = 80;

/** Returns a message for each expectation of a call that its answer does not meet. */
export function unmetExpectations(call: ExpectedCall, answer: ObservedAnswer): readonly string[] {
  const differences = call.data === undefined ? [] : compare(call.data, answer.data, ["data"]);
  const unmet = [...unmetOutcome(call, answer), ...differences];
  const rest = unmet.length - maxReported;
  return rest > 0 ? [...unmet.slice(0, maxReported), `and ${rest} more`] : unmet;
}

function unmetOutcome({ expect, errorCode }: ExpectedCall, answer: ObservedAnswer): readonly string[] {
  if (expect === undefined) return [];
  const isAsExpected = answer.success === (expect === "success");
  if (isAsExpected && (errorCode === undefined || errorCode === answer.errorCode)) return [];
  const wanted = errorCode === undefined ? expect : `${expect} ${errorCode}`;
  return [`expected ${wanted}, got ${describe(answer)}`];
}

function describe({ success, errorCode }: ObservedAnswer): string {
  if (success === undefined) return "an answer that is neither success nor failure";
  if (success) return "success";
  return errorCode === undefined ? "failure without a code" : `failure ${shorten(errorCode)}`;
}

/**
 * Compares a received value with the expected value. A received object may have extra fields, but a
 * received array may not have extra items.
 */
function compare(expected: unknown, seen: unknown, path: readonly PropertyKey[]): readonly string[] {
  if (Array.isArray(expected) && Array.isArray(seen) && expected.length === seen.length) {
    return expected.flatMap((item, index) => compare(item, seen[index], [...path, index]));
  }
  if (isRecord(expected) && isRecord(seen)) {
    return Object.entries(expected).flatMap(([key, value]) =>
      compare(value, Object.hasOwn(seen, key) ? Reflect.get(seen, key) : undefined, [...path, key]),
    );
  }
  if (expected === seen) return [];
  return [`${toFieldPath(path)}: expected ${show(expected)}, got ${show(seen)}`];
}

/** Describes a value. For an array, the message contains only the number of items, because an array may be large. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length} item${value.length === 1 ? "" : "s"}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(shorten(value)) : String(value);
}

function shorten(text: string): string {
  const start = text.slice(0, maxShownLength);
  return (start.length < text.length ? `${start}…` : start).toWellFormed();
}
