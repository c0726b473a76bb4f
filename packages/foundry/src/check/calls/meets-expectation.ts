import { isRecord } from "@foundry-mcp/contract";
import { toPlaceName } from "../../servers/schema-problems.ts";
import type { ExpectedCall } from "./calls-file.ts";

/** What is known of an answer, whatever its dialect. */
export interface SeenAnswer {
  /** Undefined where the answer does not say. */
  readonly success: boolean | undefined;
  readonly errorCode: string | undefined;
  readonly data: unknown;
}

/** As many differences as are told; more help nobody. */
const mostTold = 10;
const longestShown = 80;

/** What of a call's expectations its answer does not meet, one message each. */
export function unmetExpectations(call: ExpectedCall, answer: SeenAnswer): readonly string[] {
  const differences = call.data === undefined ? [] : compare(call.data, answer.data, ["data"]);
  const unmet = [...unmetOutcome(call, answer), ...differences];
  const rest = unmet.length - mostTold;
  return rest > 0 ? [...unmet.slice(0, mostTold), `and ${rest} more`] : unmet;
}

function unmetOutcome({ expect, errorCode }: ExpectedCall, answer: SeenAnswer): readonly string[] {
  if (expect === undefined) return [];
  const isAsExpected = answer.success === (expect === "success");
  if (isAsExpected && (errorCode === undefined || errorCode === answer.errorCode)) return [];
  const wanted = errorCode === undefined ? expect : `${expect} ${errorCode}`;
  return [`expected ${wanted}, got ${describe(answer)}`];
}

function describe({ success, errorCode }: SeenAnswer): string {
  if (success === undefined) return "an answer that is neither success nor failure";
  if (success) return "success";
  return errorCode === undefined ? "failure without a code" : `failure ${shorten(errorCode)}`;
}

/** Objects may hold more than is expected, lists may not: a row too many is a difference. */
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
  return [`${toPlaceName(path)}: expected ${show(expected)}, got ${show(seen)}`];
}

/** A value in a few words; what has parts is only counted, for it may be of any size. */
function show(value: unknown): string {
  if (value === undefined) return "nothing";
  if (Array.isArray(value)) return `a list of ${value.length} item${value.length === 1 ? "" : "s"}`;
  if (typeof value === "object" && value !== null) return "an object";
  return typeof value === "string" ? JSON.stringify(shorten(value)) : String(value);
}

function shorten(text: string): string {
  const start = text.slice(0, longestShown);
  return (start.length < text.length ? `${start}…` : start).toWellFormed();
}
