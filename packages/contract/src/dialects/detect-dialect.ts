import { responseVersion } from "../envelope/envelope.ts";
import { isRecord, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Capability } from "./envelope-v1.ts";
import { responseV1SchemaVersion } from "./response-v1.ts";

/** The dialects of a response. */
export const dialects = ["response-v2", "envelope-v1", "response-v1"] as const;

/** One dialect. */
export type Dialect = (typeof dialects)[number];

const topLevelKeys = new Set(["success", "data", "error", "meta"]);

/**
 * Detects the dialect of a parsed response by its characteristic keys, even if the response is invalid; returns
 * null if the keys of the value match no dialect.
 */
export function detectDialect(json: unknown): Dialect | null {
  try {
    return isRecord(json) ? detectByKeys(json) : null;
  } catch {
    return null;
  }
}

function detectByKeys(json: UnknownRecord): Dialect | null {
  const { meta, success, capabilities } = json;
  if (isRecord(meta) && meta["version"] === responseVersion) return "response-v2";
  if (
    typeof success === "boolean" &&
    json["schema_version"] === responseV1SchemaVersion &&
    meta === undefined
  )
    return "response-v1";
  if (typeof json["tier"] === "string" && "tool_id" in json && "error" in json) return "envelope-v1";
  if ("tool_id" in json && "upgrade_hints" in json) return "envelope-v1";
  if (Array.isArray(capabilities) && capabilities.includes(envelopeV1Capability)) return "envelope-v1";
  if (typeof success !== "boolean") return null;
  // Old servers leave out the version. A value without a version counts as an envelope only if it has no keys besides
  // the four envelope keys, because many other payloads also have the key `success`.
  const hasOnlyEnvelopeKeys = Object.keys(json).every((key) => topLevelKeys.has(key));
  return hasOnlyEnvelopeKeys && (isRecord(json["data"]) || isRecord(meta)) ? "response-v2" : null;
}
