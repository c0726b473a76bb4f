import { isRecord } from "@foundry-mcp/contract";
import { evidenceOf, toEvidence } from "../observe/evidence.ts";
import { isAnswered, type Observation, payloadOf } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";

/** Makes a call a second time, where its subject says that this changes nothing. */
export async function probeRepeat(
  { subject, args, observation }: Base,
  { session, ledger }: Probing,
): Promise<void> {
  if (!subject.isIdempotent || !session.answers(subject.tool)) return;
  const again = await session.call(subject.tool, args);
  if (!isAnswered(again)) return;
  if (again.outcome !== observation.outcome) {
    ledger.break("MCP-16", evidenceOf(again, "the same call succeeds the first time and fails the second"));
    return;
  }
  const [first, second] = [unsigned(observation), unsigned(again)];
  const path = firstDifference(first, second);
  ledger.hold(
    "MCP-16",
    path === undefined
      ? undefined
      : evidenceOf(again, "the same call gives another answer the second time", {
          path: path.replace(/^\$/, "$.data"),
          evidence: toEvidence(second),
        }),
  );
}

/** The payload without the id of its call, which some answers repeat. */
function unsigned(observation: Observation): unknown {
  const text = JSON.stringify(payloadOf(observation) ?? null);
  return JSON.parse(text.replaceAll(JSON.stringify(observation.requestId), '"…"')) as unknown;
}

/** Keys whose values pass with time. */
const passing =
  /(?:^|_|[a-z])(?:at|ms|time|timestamp|date|duration|uptime|age|elapsed|now|seconds|expires|clock|took|latency|ttl|epoch)$/i;
/** As ISO 8601 writes them, and as HTTP does. */
const moments =
  /\d{4}-\d\d-\d\d[T ]\d\d:\d\d(?::\d\d(?:[.,]\d{1,9})?)?(?:Z|[+-]\d\d:?\d\d)?|[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} \d\d:\d\d:\d\d GMT/g;

/** The JSON path of the first place in which two answers differ by more than the time; undefined where there is none. */
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
  const isMoment = typeof a === "string" && typeof b === "string" && timeless(a) === timeless(b);
  if (isMoment || (typeof a === typeof b && passing.test(key))) return undefined;
  return path;
}

/** A text with every moment in it made alike. */
function timeless(text: string): string {
  return text.replaceAll(moments, "…");
}
