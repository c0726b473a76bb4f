import type { Failure, FailureData } from "../envelope/envelope.ts";
import {
  type ErrorCatalogue,
  type ErrorEntry,
  errorCatalogue,
  firstOfType,
  lookUpCode,
} from "../errors/error-catalogue.ts";
import { fillRemedies, toRemedies } from "../errors/remedy.ts";
import { isRecord, isSameJson, setOwn, type UnknownRecord } from "../json/json-value.ts";
import type { EnvelopeV1Error } from "./envelope-v1.ts";

const isText = (value: unknown) => typeof value === "string" && /\S/.test(value);

/**
 * The fields of a failure that are stored in `error_details` next to the details. Each field has a check, because
 * `error_details` of other servers may contain other values under the same names.
 */
const fieldChecks: Readonly<Record<string, (value: unknown) => boolean>> = {
  source_error_code: isText,
  error_type: isText,
  remediation: isText,
  retry_after_seconds: () => true,
  remedy: isRecord,
  other_remedies: Array.isArray,
};

/** Converts a failure to the error of an envelope-v1. A field that can be derived from the error code is left out. */
export function toV1Error({ data, error }: Failure, catalogue?: ErrorCatalogue): EnvelopeV1Error {
  const { details, payload: _, ...fields } = data;
  const code = fields.error_code ?? "INTERNAL_ERROR";
  const entry = entryOf(code, fields.error_type);
  const v1 = lookUpCode(code, catalogue)?.v1 ?? entry.v1;
  const implied: UnknownRecord = {
    error_code: fromV1Code(v1),
    error_type: lookUpCode(code)?.type ?? "internal",
    remediation: defaultRemediation(entry),
  };
  const explicit = Object.entries(fields).filter(([key, value]) => !isSameJson(value, implied[key]));
  const all = {
    ...details,
    ...Object.fromEntries(
      explicit.map(([key, value]) => [key === "error_code" ? "source_error_code" : key, value]),
    ),
  };
  return { error, error_code: v1, error_details: Object.keys(all).length > 0 ? all : null };
}

/** Converts the error of an envelope-v1 to the payload of a failure. */
export function fromV1Error({ error_code, error_details }: EnvelopeV1Error): FailureData {
  const fields: Record<string, unknown> = {};
  const details: Record<string, unknown> = {};
  for (const [key, value] of Object.entries(error_details ?? {})) {
    const isField = Object.hasOwn(fieldChecks, key) && fieldChecks[key]?.(value) === true;
    setOwn(isField ? fields : details, key, value);
  }
  const { source_error_code: source, ...rest } = fields;
  const code = typeof source === "string" ? source : fromV1Code(error_code);
  const entry = entryOf(code, rest["error_type"]);
  const hint = details["hint"];
  return {
    error_code: code,
    error_type: entry.type,
    remediation: typeof hint === "string" ? hint : defaultRemediation(entry),
    ...(Object.keys(details).length > 0 ? { details } : {}),
    ...rest,
  };
}

function defaultRemediation({ remediation, remedy }: ErrorEntry): string {
  return fillRemedies(remediation, toRemedies(remedy));
}

function entryOf(code: string, type: unknown): ErrorEntry {
  return lookUpCode(code) ?? firstOfType(type)[1];
}

/**
 * Returns the error code for a code of envelope-v1. This is the error code with the same name if there is one,
 * otherwise the first error code that is converted to this code.
 */
function fromV1Code(v1: string): string {
  const sameName = v1.toUpperCase();
  if (lookUpCode(sameName) !== undefined) return sameName;
  const first = Object.entries<ErrorEntry>(errorCatalogue).find(([, entry]) => entry.v1 === v1);
  return first?.[0] ?? (sameName.replace(/[^A-Z0-9]+/g, "_") || "INTERNAL_ERROR");
}
