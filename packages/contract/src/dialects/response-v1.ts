import { errorResponse, successResponse } from "../builders/responses.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, setOwn, toText, type UnknownRecord } from "../json/json-value.ts";

/** The schema version that every response-v1 answer carries. */
export const responseV1SchemaVersion = "1.0.0";

/** The legacy answer: the payload's keys stand beside `success`. */
export interface ResponseV1 {
  readonly success: boolean;
  readonly schema_version: typeof responseV1SchemaVersion;
  readonly error?: string;
  readonly [key: string]: unknown;
}

/** The keys that are the answer's own; everything else is payload. */
export const responseV1Keys: readonly string[] = ["success", "schema_version", "error"];

/** A payload key `meta` is nested too: beside `success` it would look like response-v2. */
const ownKeys: readonly string[] = [...responseV1Keys, "meta"];

/**
 * Projects an envelope onto response-v1. One way: `meta` is lost, but for what the payload repeats.
 * Payload keys that would collide with the answer's own are nested under `data`.
 */
export function toResponseV1(envelope: Envelope<object>): ResponseV1 {
  const payload = envelope.data as UnknownRecord;
  const collides = ownKeys.some((key) => Object.hasOwn(payload, key));
  const root: Record<string, unknown> = {
    success: envelope.success,
    schema_version: responseV1SchemaVersion,
  };
  if (!envelope.success) root["error"] = envelope.error;
  const nested: Record<string, unknown> = {};
  for (const key of Object.keys(payload)) {
    const isNested = ownKeys.includes(key) || (collides && key === "data");
    setOwn(isNested ? nested : root, key, payload[key]);
  }
  if (collides) root["data"] = nested;
  return root as unknown as ResponseV1;
}

/** Reads a response-v1 answer: what stands beside `success` is the payload. */
export function fromResponseV1(answer: UnknownRecord): Envelope {
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(answer)) if (!responseV1Keys.includes(key)) setOwn(data, key, answer[key]);
  if (answer["success"] === true) return successResponse(data);
  const { error } = answer;
  const message =
    typeof error === "string" && error.trim() !== "" ? error : "The tool failed without saying why";
  for (const key of ["error_code", "error_type", "remediation"])
    if (data[key] !== undefined) data[key] = toText(data[key]);
  const { details } = data;
  if (details !== undefined && !isRecord(details)) data["details"] = { value: details };
  return errorResponse(message, { data });
}
