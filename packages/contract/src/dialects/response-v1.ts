import type { Envelope } from "../envelope/envelope.ts";
import { errorResponse } from "../envelope/error-response.ts";
import { successResponse } from "../envelope/success-response.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";

/** The schema version that every response-v1 answer carries. */
export const responseV1SchemaVersion = "1.0.0";

/** The legacy answer: the payload's keys stand beside `success`. */
export interface ResponseV1 {
  readonly success: boolean;
  readonly schema_version: typeof responseV1SchemaVersion;
  readonly error?: string;
  readonly [key: string]: unknown;
}

const ownKeys = ["success", "schema_version", "error"];

/**
 * Projects an envelope onto response-v1. One way: `meta` is lost, but for what the payload repeats.
 * Payload keys that would collide with the answer's own are nested under `data`.
 */
export function toResponseV1(envelope: Envelope): ResponseV1 {
  const payload: UnknownRecord = envelope.data;
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
  for (const key of Object.keys(answer)) if (!ownKeys.includes(key)) setOwn(data, key, answer[key]);
  if (answer["success"] === true) return successResponse(data);
  const { error } = answer;
  const message =
    typeof error === "string" && error.trim() !== "" ? error : "The tool failed without saying why";
  const fields =
    isRecord(data["details"]) || data["details"] === undefined
      ? data
      : { ...data, details: { value: data["details"] } };
  return errorResponse(message, { data: fields });
}
