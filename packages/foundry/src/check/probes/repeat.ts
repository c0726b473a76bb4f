import { isRecord } from "@foundry-mcp/contract";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, type Observation, payloadOf } from "../observe/observation.ts";
import { requestIds } from "../observe/request-ids.ts";
import type { Baseline, ProbeDeps } from "./probe.ts";

/** Repeats a call of an idempotent operation and compares the answers. */
export async function probeRepeat(
  { operation, args, observation }: Baseline,
  { session, ledger }: ProbeDeps,
): Promise<void> {
  if (!operation.isIdempotent || !session.isCallable(operation.tool)) return;
  const again = await session.call(operation.tool, args);
  if (!isAnswered(again)) return;
  if (again.outcome !== observation.outcome) {
    ledger.fail("MCP-16", evidenceOf(again, "the same call succeeds the first time and fails the second"));
    return;
  }
  // The output of an operation that lists calls, such as a log, changes with every call.
  if (namesOtherCalls(observation) || namesOtherCalls(again)) return;
  const [first, second] = [withoutRequestId(observation), withoutRequestId(again)];
  const isCut = hasMore(observation) && hasMore(again);
  const path = firstDifference(first, second, { isCut });
  ledger.record(
    "MCP-16",
    path === undefined
      ? undefined
      : evidenceOf(again, "the same call gives another answer the second time", {
          path: observation.envelope === undefined ? path : path.replace(/^\$/, "$.data"),
          evidence: toEvidence(second),
        }),
  );
}

/** Returns the payload with the request id masked, because some answers contain it. */
function withoutRequestId(observation: Observation): unknown {
  const text = JSON.stringify(payloadOf(observation) ?? null);
  return JSON.parse(text.replaceAll(JSON.stringify(observation.requestId), '"…"')) as unknown;
}

/** Returns true if the payload contains the id of another call of a check. */
function namesOtherCalls(observation: Observation): boolean {
  const ids = JSON.stringify(payloadOf(observation) ?? null).match(requestIds) ?? [];
  return ids.some((id) => id !== observation.requestId);
}

/** Returns true if the answer reports that more follows, because its length may then limit its content. */
function hasMore({ envelope }: Observation): boolean {
  const { pagination, content_fidelity: fidelity } = envelope?.meta ?? {};
  return pagination?.has_more === true || (fidelity !== undefined && fidelity !== "full");
}

/** Keys whose values change with time. */
const timeKeys =
  /(?:^|_|[a-z])(?:at|ms|time|timestamp|date|duration|uptime|age|elapsed|now|seconds|expires|clock|took|latency|ttl|epoch)$/i;
/** Timestamps in ISO 8601 and HTTP format. */
const timestamps =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;
/** Durations in the JSON of a text, such as `"duration_ms":12.5`. */
const durations =
  /("\w{0,40}(?:_ms|Ms|duration|elapsed|uptime|latency|took|_seconds)"\s{0,5}:\s{0,5})-?\d{1,20}(?:\.\d{1,20})?/g;

/** Options of a comparison of two answers. */
export interface ComparisonOptions {
  /**
   * True if both answers report that more follows. A list or text may then be slightly longer in one answer than in
   * the other. A server that fits a page into a budget also counts the digits of its durations.
   */
  readonly isCut?: boolean | undefined;
}

/**
 * Returns the JSON path of the first difference between two answers, ignoring times. Returns undefined if the answers
 * are equal.
 */
export function firstDifference(a: unknown, b: unknown, options: ComparisonOptions = {}): string | undefined {
  return compare(a, b, { ...options, path: "$", key: "", depth: 0 });
}

interface Place extends ComparisonOptions {
  readonly path: string;
  /** The key of the value, or of the list that contains the value. */
  readonly key: string;
  readonly depth: number;
}

function compare(a: unknown, b: unknown, place: Place): string | undefined {
  const { path, key, depth, isCut = false } = place;
  if (Object.is(a, b) || depth > 100) return undefined;
  const inside = (step: string, name: string): Place => ({
    ...place,
    path: path + step,
    key: name,
    depth: depth + 1,
  });
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length && !(isCut && areClose(a.length, b.length))) return `${path}.length`;
    for (const [index, item] of a.slice(0, b.length).entries()) {
      const found = compare(item, b[index], inside(`[${index}]`, key));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(a) && isRecord(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = compare(a[name], b[name], inside(`.${name}`, name));
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (typeof a === "string" && typeof b === "string") {
    const [first, second] = [maskTimes(a), maskTimes(b)];
    if (first === second || (isCut && haveSameStart(first, second))) return undefined;
  }
  return typeof a === typeof b && timeKeys.test(key) ? undefined : path;
}

function haveSameStart(a: string, b: string): boolean {
  return areClose(a.length, b.length) && (a.startsWith(b) || b.startsWith(a));
}

/** Returns true if two lengths differ by at most one or by at most a tenth. */
function areClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= Math.max(1, Math.max(a, b) / 10);
}

/** Masks every timestamp and duration in a text. */
function maskTimes(text: string): string {
  return text.replaceAll(timestamps, "…").replaceAll(durations, "$1…");
}
