import { type Envelope, type Meta, reservedMetaKeys, responseVersion } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { currentCode } from "../errors/error-catalogue.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { envelopeValidator, metaValidator } from "../schema/validators.ts";
import { warning } from "../warnings/warnings.ts";

/** The key of `meta` for what an answer held in the wrong place or form: nothing is thrown away. */
const nonconformingKey = "nonconforming";

/**
 * Completes a response-v2 envelope of a careless server: absent keys are added, metadata is moved from
 * `data` to `meta`, and what does not fit its place is kept aside with an UPSTREAM_NORMALIZED warning.
 * A good envelope comes back as it is.
 */
export function repairEnvelope(given: UnknownRecord): Envelope {
  if (envelopeValidator().is(given) && !needsLifting(given["data"]) && !isOldCode(given))
    return given as unknown as Envelope;
  const aside: Record<string, unknown> = {};
  for (const key of Object.keys(given)) {
    if (!["success", "data", "error", "meta"].includes(key)) setOwn(aside, key, given[key]);
  }
  const { payload, lifted } = liftMetadata(toPayload(given["data"]));
  const meta = repairMeta(isRecord(given["meta"]) ? given["meta"] : {}, lifted, aside);
  const { success, error } = given;
  const message =
    success === false && isBlank(error) ? "The tool failed without saying why" : (error ?? null);
  const data = success === false ? repairFailureData(payload) : payload;
  return { success, data, error: message, meta } as unknown as Envelope;
}

function needsLifting(data: unknown): boolean {
  return isRecord(data) && (isRecord(data["_meta"]) || isListOfTexts(data["_warnings"]));
}

function liftMetadata(data: UnknownRecord): { payload: UnknownRecord; lifted: UnknownRecord } {
  if (!needsLifting(data)) return { payload: data, lifted: {} };
  const { _meta: meta, _warnings: warnings, ...payload } = data;
  const lifted: Record<string, unknown> = { ...(isRecord(meta) ? meta : {}) };
  if (isListOfTexts(warnings))
    lifted["warnings"] = [...(isListOfTexts(lifted["warnings"]) ? lifted["warnings"] : []), ...warnings];
  return { payload, lifted };
}

/** Each key of `meta` that does not have its type goes aside; what was lifted from `data` comes second. */
function repairMeta(given: UnknownRecord, lifted: UnknownRecord, aside: Record<string, unknown>): Meta {
  const meta: Record<string, unknown> = { version: responseVersion };
  for (const source of [given, lifted]) {
    for (const key of Object.keys(source)) {
      const value = source[key];
      const isReserved = (reservedMetaKeys as readonly string[]).includes(key);
      if (isReserved && value === null) continue;
      if (key === "warnings" && isListOfTexts(meta[key]) && isListOfTexts(value))
        meta[key] = [...meta[key], ...value];
      else if (isReserved && !metaValidator().is({ version: responseVersion, [key]: value }))
        setOwn(aside, key, value);
      else if (!Object.hasOwn(meta, key) || key === "version") setOwn(meta, key, value);
      else setOwn(aside, key, value);
    }
  }
  const kept = Object.keys(aside);
  if (kept.length === 0) return orderMeta(meta as unknown as Meta);
  const detail = warning(
    "UPSTREAM_NORMALIZED",
    `Not part of the envelope, kept in meta.${nonconformingKey}: ${kept.join(", ")}`,
  );
  return orderMeta({
    ...meta,
    warnings: [...((meta["warnings"] as string[] | undefined) ?? []), detail.message],
    warning_details: [...((meta["warning_details"] as unknown[] | undefined) ?? []), detail],
    [nonconformingKey]: aside,
  } as unknown as Meta);
}

function repairFailureData(data: UnknownRecord): UnknownRecord {
  const given = data["error_code"];
  const code = typeof given === "string" ? { error_code: currentCode(given) } : {};
  const details = data["details"];
  const isLoose = details !== undefined && !isRecord(details);
  return { ...data, ...code, ...(isLoose ? { details: { value: details } } : {}) };
}

function isOldCode({ success, data }: UnknownRecord): boolean {
  const code = success === false && isRecord(data) ? data["error_code"] : undefined;
  return typeof code === "string" && currentCode(code) !== code;
}

function toPayload(data: unknown): UnknownRecord {
  if (isRecord(data)) return data;
  return data === undefined || data === null ? {} : { result: data };
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (typeof value === "string" && value.trim() === "");
}

function isListOfTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
