import { isRecord } from "@foundry-mcp/contract";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, type Observation, payloadOf } from "../observe/observation.ts";
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
  const [first, second] = [withoutRequestId(observation), withoutRequestId(again)];
  const path = firstDifference(first, second);
  ledger.record(
    "MCP-16",
    path === undefined
      ? undefined
      : evidenceOf(again, "the same call gives another answer the second time", {
          path: path.replace(/^\$/, "$.data"),
          evidence: toEvidence(second),
        }),
  );
}

/** Returns the payload with the request id masked, which some answers repeat. */
function withoutRequestId(observation: Observation): unknown {
  const text = JSON.stringify(payloadOf(observation) ?? null);
  return JSON.parse(text.replaceAll(JSON.stringify(observation.requestId), '"…"')) as unknown;
}

/** Keys whose values change with time. */
const timeKeys =
  /(?:^|_|[a-z])(?:at|ms|time|timestamp|date|duration|uptime|age|elapsed|now|seconds|expires|clock|took|latency|ttl|epoch)$/i;
/** Timestamps in ISO 8601 and HTTP format. */
const timestamps =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;

/** Returns the JSON path of the first difference between two answers, times aside; undefined if there is none. */
export function firstDifference(a: unknown, b: unknown, path = "$", key = "", depth = 0): string | undefined {
  if (Object.is(a, b) || depth > 100) return undefined;
  if (Array.isArray(a) && Array.isArray(b)) {
    if (a.length !== b.length) return `${path}.length`;
    for (const [index, item] of a.entries()) {
      const found = firstDifference(item, b[index], `${path}[${index}]`, key, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  if (isRecord(a) && isRecord(b)) {
    for (const name of new Set([...Object.keys(a), ...Object.keys(b)])) {
      const found = firstDifference(a[name], b[name], `${path}.${name}`, name, depth + 1);
      if (found !== undefined) return found;
    }
    return undefined;
  }
  const differInTime =
    typeof a === "string" && typeof b === "string" && maskTimestamps(a) === maskTimestamps(b);
  if (differInTime || (typeof a === typeof b && timeKeys.test(key))) return undefined;
  return path;
}

/** Masks every timestamp in a text. */
function maskTimestamps(text: string): string {
  return text.replaceAll(timestamps, "…");
}
