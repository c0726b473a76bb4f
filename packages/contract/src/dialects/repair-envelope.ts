import { z } from "zod";
import { type Envelope, type Meta, reservedMetaKeys, responseVersion } from "../envelope/envelope.ts";
import { envelopeValidator, metaValidator } from "../envelope/envelope-schemas.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { warning } from "../envelope/warnings.ts";
import { currentCode } from "../errors/error-catalogue.ts";
import { getOwn, isRecord, setOwn, toText, type UnknownRecord } from "../json/json-value.ts";
import { envelopeV1Schema, upgradeHintSchema } from "./dialect-schemas.ts";
import { type EnvelopeV1, envelopeV1Capability } from "./envelope-v1.ts";

/**
 * Repairs an invalid or outdated response-v2 envelope: adds absent keys, moves metadata from `data` to
 * `meta` and keeps invalid values in `meta.nonconforming`, with a warning. A valid envelope is returned
 * unchanged.
 */
export function repairEnvelope(given: UnknownRecord): Envelope {
  if (envelopeValidator.is(given) && !needsRepair(given)) return given as unknown as Envelope;
  const { success, data: payload, error, meta: givenMeta, ...nonconforming } = given;
  const { _meta, _warnings, ...data } = toRecord(payload);
  const sources = [givenMeta, _meta, _warnings === undefined ? undefined : { warnings: _warnings }].map(
    (source, index) => {
      if (source === undefined || isRecord(source)) return source ?? {};
      setOwn(nonconforming, index === 0 ? "meta" : "_meta", source);
      return {};
    },
  );
  if (isRecord(error)) setOwn(nonconforming, "error", error);
  const message = isRecord(error) ? toText(error["message"] ?? error) : error;
  const isBlank = toText(message ?? "").trim() === "";
  return {
    success,
    data: success === false ? repairFailureData(data) : data,
    error: success === false && isBlank ? "The tool failed without saying why" : (message ?? null),
    meta: repairMeta(sources, nonconforming),
  } as unknown as Envelope;
}

/**
 * Returns true for a valid envelope in an outdated form: metadata is in `data`, an optional key is null, or a code has
 * an outdated spelling.
 */
function needsRepair({ success, data, meta }: UnknownRecord): boolean {
  const { _meta, _warnings, error_code: code } = data as UnknownRecord;
  if (_meta !== undefined || _warnings !== undefined) return true;
  if (success === false && typeof code === "string" && currentCode(code) !== code) return true;
  return reservedMetaKeys.some((key) => (meta as UnknownRecord)[key] === null);
}

/**
 * Merges metadata from several sources into one `meta`. Invalid values and duplicate values of reserved keys are moved
 * to `meta.nonconforming`. Warnings of all sources are joined.
 */
function repairMeta(sources: readonly UnknownRecord[], nonconforming: Record<string, unknown>): Meta {
  const meta: Record<string, unknown> = { version: responseVersion };
  for (const [key, value] of sources.flatMap((source) => Object.entries(source))) {
    const isReserved = (reservedMetaKeys as readonly string[]).includes(key);
    const earlier = getOwn(meta, key);
    if (isReserved && value === null) continue;
    if (isReserved && !metaValidator.is({ version: responseVersion, [key]: value }))
      setOwn(nonconforming, key, value);
    else if (key === "warnings" && Array.isArray(earlier)) meta[key] = [...earlier, ...(value as string[])];
    else setOwn(earlier === undefined || key === "version" ? meta : nonconforming, key, value);
  }
  return keepNonconforming(meta as unknown as Meta, nonconforming);
}

function repairFailureData(given: UnknownRecord): UnknownRecord {
  const data = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
  const { error_code: code, details } = data;
  return {
    ...data,
    ...(typeof code === "string" ? { error_code: currentCode(code) } : {}),
    ...(details === undefined || isRecord(details) ? {} : { details: { value: details } }),
  };
}

/** Converts `data` to an object. A list or a scalar becomes the member `result` of a new object. */
function toRecord(data: unknown): UnknownRecord {
  return isRecord(data) ? data : data === undefined || data === null ? {} : { result: data };
}

/** Stores values that do not fit the envelope in `meta.nonconforming`, and adds a warning. */
export function keepNonconforming(meta: Meta, nonconforming: UnknownRecord): Meta {
  const names = Object.keys(nonconforming);
  if (names.length === 0) return orderMeta(meta);
  const detail = warning(
    "UPSTREAM_NORMALIZED",
    `Not part of the envelope, kept in meta.nonconforming: ${names.join(", ")}`,
  );
  return orderMeta({
    ...meta,
    warnings: [...(meta.warnings ?? []), detail.message],
    warning_details: [...(meta.warning_details ?? []), detail],
    nonconforming: { ...(isRecord(meta["nonconforming"]) ? meta["nonconforming"] : {}), ...nonconforming },
  });
}

const text = z.string().catch("");

/**
 * A schema that accepts any value in any field. Many servers send null for missing fields, and some send the error as a
 * string.
 */
const lenientSchema = z.looseObject({
  tier: envelopeV1Schema.shape.tier.catch("community"),
  tool_version: text,
  tool_id: text,
  request_id: text,
  capabilities: envelopeV1Schema.shape.capabilities.catch([envelopeV1Capability]),
  duration_ms: envelopeV1Schema.shape.duration_ms.catch(null),
  error: z.unknown().transform((error) => {
    if (error === null || error === undefined) return null;
    const { error: message, error_code, error_details, ...rest } = isRecord(error) ? error : { error };
    return {
      ...rest,
      error: toText(message),
      error_code: typeof error_code === "string" ? error_code : "internal_error",
      error_details: isRecord(error_details) ? error_details : null,
    };
  }),
  upgrade_hints: z
    .array(z.unknown())
    .catch([])
    .transform((hints) => hints.filter((hint) => upgradeHintSchema.safeParse(hint).success)),
});

/** Repairs an envelope-v1 whose fields are absent, null or of another type. */
export function repairEnvelopeV1(given: object): EnvelopeV1 {
  return lenientSchema.parse({ error: null, data: null, ...given }) as unknown as EnvelopeV1;
}
