import { z } from "zod";
import { roundMilliseconds } from "../builders/to-meta.ts";
import { type Envelope, type Meta, requestIdPattern, responseVersion } from "../envelope/envelope.ts";
import { type WarningDetail, warning } from "../envelope/warnings.ts";
import type { ErrorCatalogue } from "../errors/error-catalogue.ts";
import { tiers } from "../errors/error-types.ts";
import { isRecord, isSameJson, toText, type UnknownRecord } from "../json/json-value.ts";
import { shortHash } from "../text/sha256.ts";
import { type EnvelopeV1, envelopeV1Capability, type UpgradeHint } from "./envelope-v1.ts";
import { fromV1Error, toV1Error } from "./v1-error.ts";

/** The key of `meta` under which fields of envelope-v1 without a counterpart in response-v2 are stored. */
export const identityKey = "envelope_v1";

/** The fields of envelope-v1 that response-v2 lacks. A missing or invalid value is replaced with its default. */
const identitySchema = z.object({
  tier: z.enum(tiers).catch("community"),
  tool_version: z.string().catch(""),
  tool_id: z.string().catch(""),
  request_id: z.string().catch(""),
  capabilities: z.array(z.string()).catch([envelopeV1Capability]),
});
const defaults: UnknownRecord = identitySchema.parse({});

/** Maps the fields of an envelope to the fields of envelope-v1; data without a counterpart is lost. */
export function mapToV1(envelope: Envelope, catalogue?: ErrorCatalogue): EnvelopeV1 {
  const { success, meta } = envelope;
  const data: UnknownRecord = envelope.data;
  const duration = meta.telemetry?.duration_ms;
  const { data_shape: shape, ...identity } = identityOf(envelope);
  const isWrapped = shape === "wrapped" && Object.hasOwn(data, "result");
  const { payload = { success: false, error: envelope.error } } = data;
  return {
    ...identitySchema.parse({ ...identity, request_id: meta.request_id }),
    duration_ms: Math.round(duration ?? 0),
    error: success ? null : toV1Error(envelope, catalogue),
    upgrade_hints: (meta.warning_details ?? []).flatMap(toHint),
    data: !success ? payload : shape === "null" ? null : isWrapped ? data["result"] : data,
  };
}

/** Maps the fields of an envelope-v1 to the fields of an envelope; data without a counterpart is lost. */
export function mapFromV1(given: EnvelopeV1): Envelope {
  const {
    tier,
    tool_id,
    tool_version,
    capabilities,
    error,
    data,
    request_id: id,
    duration_ms: duration,
  } = given;
  const details = given.upgrade_hints.map(({ feature, tier, reason }) =>
    warning("UPGRADE_AVAILABLE", reason, { feature, tier }),
  );
  const { warnings: extra } = given as { warnings?: unknown };
  const warnings = [
    ...new Set([
      ...details.map(({ message }) => message),
      ...(Array.isArray(extra) ? extra.map(toText) : []),
    ]),
  ];
  const shape = error !== null || isRecord(data) ? {} : { data_shape: data === null ? "null" : "wrapped" };
  const identity = { ...pruneIdentity({ tier, tool_id, tool_version, capabilities }), ...shape };
  const meta: Meta = {
    version: responseVersion,
    ...(id === "" ? {} : { request_id: requestIdPattern.test(id) ? id : `req_${shortHash(id)}` }),
    ...(warnings.length === 0 ? {} : { warnings }),
    ...(details.length === 0 ? {} : { warning_details: details }),
    // A duration of 0 means that the duration was not measured.
    ...(duration === null || duration <= 0
      ? {}
      : { telemetry: { duration_ms: roundMilliseconds(duration) } }),
    ...(Object.keys(identity).length === 0 ? {} : { [identityKey]: identity }),
  };
  const isSoftFailure = error === null && isRecord(data) && data["success"] === false;
  if (error === null && !isSoftFailure) {
    return {
      success: true,
      data: isRecord(data) ? data : data === null ? {} : { result: data },
      error: null,
      meta,
    };
  }
  const failure = error ?? {
    error: toText((data as UnknownRecord)["error"] ?? ""),
    error_code: "internal_error",
    error_details: null,
  };
  // Servers of envelope-v1 send this payload with every failure. It only repeats the message, so it is not kept.
  const isImplied = data === null || isSameJson(data, { success: false, error: failure.error });
  return {
    success: false,
    data: { ...fromV1Error(failure), ...(isImplied ? {} : { payload: data }) },
    error: failure.error.trim() === "" ? "The tool failed without saying why" : failure.error,
    meta,
  };
}

function toHint({ code, message, context: { feature, tier } = {} }: WarningDetail): UpgradeHint[] {
  const isHint = code === "UPGRADE_AVAILABLE" && typeof feature === "string" && typeof tier === "string";
  return isHint ? [{ feature, tier, reason: message }] : [];
}

/** Returns the fields of envelope-v1 that are stored in `meta`. */
export function identityOf({ meta }: Envelope): UnknownRecord {
  const identity = meta[identityKey];
  return isRecord(identity) ? identity : {};
}

/** Drops the fields that have their default value. */
export function pruneIdentity(identity: UnknownRecord): UnknownRecord {
  return Object.fromEntries(
    Object.entries(identity).filter(([key, value]) => !isSameJson(value, defaults[key])),
  );
}
