import type { Evidence } from "../findings/ledger.ts";
import type { Observation } from "./observation.ts";

const longestEvidence = 300;

/** A value as evidence: its JSON, shortened. */
export function toEvidence(value: unknown): string {
  const text = typeof value === "string" ? value : (toText(value) ?? describe(value));
  const points = [...text.slice(0, 2 * longestEvidence)];
  const whole = points.length <= longestEvidence && text.length <= 2 * longestEvidence;
  return (whole ? text : `${points.slice(0, longestEvidence).join("")}…`).toWellFormed();
}

/** What an observation shows of a broken rule. */
export function evidenceOf(
  observation: Observation,
  message: string,
  more: Partial<Evidence> = {},
): Evidence {
  const { tool, args, reply } = observation;
  const seen =
    observation.value ?? observation.text ?? (reply.kind === "result" ? reply.result : toRefusalText(reply));
  return { tool, arguments: shorten(args), message, evidence: toEvidence(seen), ...more };
}

function toRefusalText(reply: Exclude<Observation["reply"], { kind: "result" }>): string {
  return reply.kind === "error" ? `JSON-RPC error ${reply.code}: ${reply.message}` : reply.failure.error;
}

/** Arguments that would fill the report are told by their beginning. */
function shorten(args: unknown): unknown {
  const text = toText(args);
  return text === undefined || text.length <= 1_000 ? args : toEvidence(text);
}

/** What JSON cannot hold: nothing at all, or what is nested too deeply to be written. */
function describe(value: unknown): string {
  return typeof value === "object" && value !== null ? "a value that is nested too deeply" : String(value);
}

function toText(value: unknown): string | undefined {
  try {
    return JSON.stringify(value);
  } catch {
    return undefined;
  }
}
