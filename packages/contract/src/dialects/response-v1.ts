import { errorResponse, successResponse } from "../builders/responses.ts";
import type { Envelope } from "../envelope/envelope.ts";
import { isRecord, setOwn, toText, type UnknownRecord } from "../json/json-value.ts";

/** The schema version in every response-v1 response. */
export const responseV1SchemaVersion = "1.0.0";

/** A response in the oldest dialect: the payload keys are at the top level, in the same object as `success`. */
export interface ResponseV1 {
  readonly success: boolean;
  readonly schema_version: typeof responseV1SchemaVersion;
  readonly error?: string;
  readonly [key: string]: unknown;
}

/** The keys that belong to the dialect. All other keys are payload. */
const responseV1Keys: readonly string[] = ["success", "schema_version", "error"];

/**
 * Payload keys that `toResponseV1` moves into `data`, because they would collide with keys of the response. The key
 * `meta` is included, because a response with a top-level `meta` would be detected as response-v2.
 */
const nestedKeys: readonly string[] = [...responseV1Keys, "meta"];

/**
 * Converts an envelope to response-v1, which has no metadata: `meta` is lost unless the payload repeats it.
 * Payload keys that would collide with the keys of the response are nested under `data`.
 */
export function toResponseV1(envelope: Envelope<object>): ResponseV1 {
  const payload = envelope.data as UnknownRecord;
  const collides = nestedKeys.some((key) => Object.hasOwn(payload, key));
  const root: Record<string, unknown> = {
    success: envelope.success,
    schema_version: responseV1SchemaVersion,
  };
  if (!envelope.success) root["error"] = envelope.error;
  const nested: Record<string, unknown> = {};
  for (const key of Object.keys(payload)) {
    const isNested = nestedKeys.includes(key) || (collides && key === "data");
    setOwn(isNested ? nested : root, key, payload[key]);
  }
  if (collides) root["data"] = nested;
  return root as unknown as ResponseV1;
}

/** Converts a response-v1 response to an envelope. */
export function fromResponseV1(response: UnknownRecord): Envelope {
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(response))
    if (!responseV1Keys.includes(key)) setOwn(data, key, response[key]);
  if (response["success"] === true) return successResponse(data);
  const { error } = response;
  const message =
    typeof error === "string" && error.trim() !== "" ? error : "The tool failed without saying why";
  for (const key of ["error_code", "error_type", "remediation"])
    if (data[key] !== undefined) data[key] = toText(data[key]);
  const { details } = data;
  if (details !== undefined && !isRecord(details)) data["details"] = { value: details };
  return errorResponse(message, { data });
}
