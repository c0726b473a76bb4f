import type { Envelope } from "../envelope/envelope.ts";
import { setOwn, type UnknownRecord } from "../json/json-value.ts";
import { type ResponseV1, responseV1Keys, responseV1SchemaVersion } from "./response-v1.ts";

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
