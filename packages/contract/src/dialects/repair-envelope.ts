import { type Envelope, type Meta, reservedMetaKeys, responseVersion } from "../envelope/envelope.ts";
import { orderMeta } from "../envelope/order-meta.ts";
import { currentCode } from "../errors/error-catalogue.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { envelopeValidator, metaValidator } from "../schema/validators.ts";
import { warning } from "../warnings/warnings.ts";

/**
 * Completes a response-v2 envelope of a careless server: absent keys are added, metadata is moved from
 * `data` to `meta`, and what does not fit its place is kept in `meta.nonconforming`, with a warning. A
 * good envelope comes back as it is.
 */
export function repairEnvelope(given: UnknownRecord): Envelope {
  const { success, data: payload, error, meta: givenMeta, ...aside } = given;
  const { _meta, _warnings, ...rest } = toRecord(payload);
  const isLifted = isRecord(_meta) || isTexts(_warnings);
  const data: UnknownRecord = isLifted ? rest : toRecord(payload);
  const code =
    success === false && typeof data["error_code"] === "string" ? currentCode(data["error_code"]) : undefined;
  if (!isLifted && code === data["error_code"] && envelopeValidator.is(given))
    return given as unknown as Envelope;
  if (!isLifted && success === true && envelopeValidator.is(given)) return given as unknown as Envelope;
  const { details } = data;
  const lifted = {
    ...(isRecord(_meta) ? _meta : {}),
    ...(isTexts(_warnings) ? { warnings: _warnings } : {}),
  };
  return {
    success,
    data: {
      ...data,
      ...(code === undefined ? {} : { error_code: code }),
      ...(success === false && details !== undefined && !isRecord(details)
        ? { details: { value: details } }
        : {}),
    },
    error: success === false && (error ?? "") === "" ? "The tool failed without saying why" : (error ?? null),
    meta: repairMeta([isRecord(givenMeta) ? givenMeta : {}, lifted], aside),
  } as unknown as Envelope;
}

/** A reserved key that does not have its type goes aside; so does one that is there twice, but for warnings. */
function repairMeta(sources: readonly UnknownRecord[], aside: Record<string, unknown>): Meta {
  const meta: Record<string, unknown> = { version: responseVersion };
  const entries = sources.flatMap((source) => Object.entries(source));
  for (const [key, value] of entries) {
    const isReserved = (reservedMetaKeys as readonly string[]).includes(key);
    const earlier = meta[key];
    if (isReserved && value === null) continue;
    if (isReserved && !metaValidator.is({ version: responseVersion, [key]: value }))
      setOwn(aside, key, value);
    else if (key === "warnings" && isTexts(earlier)) meta[key] = [...earlier, ...(value as string[])];
    else setOwn(earlier === undefined || key === "version" ? meta : aside, key, value);
  }
  const kept = Object.keys(aside);
  if (kept.length === 0) return orderMeta(meta as unknown as Meta);
  const { warnings = [], warning_details: details = [] } = meta as unknown as Meta;
  const detail = warning(
    "UPSTREAM_NORMALIZED",
    `Not part of the envelope, kept in meta.nonconforming: ${kept.join(", ")}`,
  );
  const more = {
    warnings: [...warnings, detail.message],
    warning_details: [...details, detail],
    nonconforming: aside,
  };
  return orderMeta({ ...(meta as unknown as Meta), ...more });
}

/** A list or a scalar goes under a name. */
function toRecord(data: unknown): UnknownRecord {
  return isRecord(data) ? data : data === undefined || data === null ? {} : { result: data };
}

function isTexts(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((item) => typeof item === "string");
}
