import type { Evidence } from "../findings/ledger.ts";
import type { Observation } from "./observation.ts";

const maxEvidence = 300;

/** Returns the JSON of a value, shortened to serve as evidence. */
export function toEvidence(value: unknown): string {
  const text = typeof value === "string" ? value : (toText(value) ?? describe(value));
  const points = [...text.slice(0, 2 * maxEvidence)];
  const whole = points.length <= maxEvidence && text.length <= 2 * maxEvidence;
  return (whole ? text : `${points.slice(0, maxEvidence).join("")}…`).toWellFormed();
}

/** Returns the evidence of a broken rule in an observation. */
export function evidenceOf(
  observation: Observation,
  message: string,
  more: Partial<Evidence> = {},
): Evidence {
  const { tool, args, reply } = observation;
  const sent =
    observation.value ?? observation.text ?? (reply.kind === "result" ? reply.result : toRefusalText(reply));
  return { tool, arguments: shorten(args), message, evidence: toEvidence(sent), ...more };
}

function toRefusalText(reply: Exclude<Observation["reply"], { kind: "result" }>): string {
  return reply.kind === "error" ? `JSON-RPC error ${reply.code}: ${reply.message}` : reply.failure.error;
}

/** Shortens long arguments to their beginning. */
function shorten(args: unknown): unknown {
  const text = toText(args);
  return text === undefined || text.length <= 1_000 ? args : toEvidence(text);
}

/**
 * Describes a value that JSON.stringify cannot serialize. JSON.stringify cannot serialize undefined and values that
 * are nested too deeply.
 */
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
