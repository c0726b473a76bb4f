import { type Envelope, type Meta, responseVersion, type WarningDetail } from "../envelope/envelope.ts";
import { roundMilliseconds } from "../envelope/round-milliseconds.ts";
import { isRecord, isSameJson, type UnknownRecord } from "../json/json-value.ts";
import { shortHash } from "../text/sha256.ts";
import { warning } from "../warnings/warnings.ts";
import { type EnvelopeV1, envelopeV1Capability, type Tier, tiers, type UpgradeHint } from "./envelope-v1.ts";
import { fromV1Error, toV1Error } from "./v1-error.ts";

/** The key of `meta` for the fields of envelope-v1 that response-v2 has no place for. */
export const identityKey = "envelope_v1";

/** What each field of envelope-v1 is when response-v2 says nothing about it. */
const defaults = {
  tier: "community",
  tool_version: "",
  tool_id: "",
  capabilities: [envelopeV1Capability],
} as const;

/** Every field of envelope-v1 as far as response-v2 has a place for it; what has none is the caller's to add. */
export function projectToV1(envelope: Envelope): EnvelopeV1 {
  const { meta } = envelope;
  const identity = isRecord(meta[identityKey]) ? meta[identityKey] : {};
  const duration = meta.telemetry?.duration_ms;
  return {
    tier: tiers.find((tier) => tier === identity["tier"]) ?? defaults.tier,
    tool_version: toText(identity["tool_version"]),
    tool_id: toText(identity["tool_id"]),
    request_id: meta.request_id ?? "",
    capabilities: isTexts(identity["capabilities"]) ? identity["capabilities"] : defaults.capabilities,
    duration_ms: duration === undefined ? null : Math.round(duration),
    error: envelope.success ? null : toV1Error(envelope),
    upgrade_hints: (meta.warning_details ?? []).flatMap(toHint),
    data: toV1Data(envelope, identity["data_shape"]),
  };
}

/** The reverse: an envelope that holds every field of an envelope-v1 that has a place. */
export function liftFromV1(given: EnvelopeV1): Envelope {
  const soft = given.error === null && isRecord(given.data) && given.data["success"] === false;
  const identity = toIdentity(given);
  const meta = toMeta(given, identity);
  if (given.error === null && !soft) return { success: true, data: toPayload(given.data), error: null, meta };
  const error = given.error ?? {
    error: softMessage(given.data),
    error_code: "internal_error",
    error_details: null,
  };
  const message = error.error.trim() === "" ? "The tool failed without saying why" : error.error;
  const payload =
    isPrintedFailure(given.data, error.error) || given.data === null ? {} : { payload: given.data };
  return { success: false, data: { ...fromV1Error(error), ...payload }, error: message, meta };
}

function toV1Data(envelope: Envelope, shape: unknown): unknown {
  if (!envelope.success) {
    return Object.hasOwn(envelope.data, "payload")
      ? envelope.data["payload"]
      : { success: false, error: envelope.error };
  }
  const data: UnknownRecord = envelope.data;
  if (shape === "null" && Object.keys(data).length === 0) return null;
  if (shape === "wrapped" && Object.keys(data).length === 1 && Object.hasOwn(data, "result"))
    return data["result"];
  return data;
}

function toPayload(data: unknown): UnknownRecord {
  if (isRecord(data)) return data;
  return data === null || data === undefined ? {} : { result: data };
}

/** The payload that the envelope-v1 document prints for every failure: it repeats the message and says no more. */
function isPrintedFailure(data: unknown, message: string): boolean {
  return (
    isRecord(data) && Object.keys(data).length === 2 && data["success"] === false && data["error"] === message
  );
}

function softMessage(data: unknown): string {
  const message = isRecord(data) ? data["error"] : undefined;
  return typeof message === "string" ? message : "";
}

/** Keeps of a tool's identity what differs from what would be assumed. */
export function pruneIdentity(identity: UnknownRecord): UnknownRecord {
  const kept = Object.entries(identity).filter(
    ([key, value]) =>
      !Object.hasOwn(defaults, key) || !isSameJson(value, defaults[key as keyof typeof defaults]),
  );
  return Object.fromEntries(kept);
}

function toIdentity({ tier, tool_id, tool_version, capabilities, error, data }: EnvelopeV1): UnknownRecord {
  const identity = pruneIdentity({ tier, tool_id, tool_version, capabilities });
  if (error !== null || isRecord(data)) return identity;
  return { ...identity, data_shape: data === null ? "null" : "wrapped" };
}

function toMeta(given: EnvelopeV1, identity: UnknownRecord): Meta {
  const details = given.upgrade_hints.map(fromHint);
  const warnings = [...new Set(details.map(({ message }) => message))];
  const { duration_ms: duration, request_id: id } = given;
  return {
    version: responseVersion,
    ...(id === "" ? {} : { request_id: toRequestId(id) }),
    ...(details.length === 0 ? {} : { warnings, warning_details: details }),
    ...(duration === null || duration < 0 ? {} : { telemetry: { duration_ms: roundMilliseconds(duration) } }),
    ...(Object.keys(identity).length === 0 ? {} : { [identityKey]: identity }),
  };
}

/** An id that response-v2 does not allow gets a substitute that is always the same. */
function toRequestId(id: string): string {
  return /^[A-Za-z0-9_-]{1,128}$/.test(id) ? id : `req_${shortHash(id)}`;
}

function toHint({ code, message, context }: WarningDetail): UpgradeHint[] {
  const { feature, tier } = context ?? {};
  if (code !== "UPGRADE_AVAILABLE" || typeof feature !== "string" || typeof tier !== "string") return [];
  return [{ feature, tier: tier as Tier, reason: message }];
}

function fromHint({ feature, tier, reason }: UpgradeHint): WarningDetail {
  return warning("UPGRADE_AVAILABLE", reason, { feature, tier });
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : "";
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
