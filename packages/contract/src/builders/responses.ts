import type { Failure, FailureData, Success } from "../envelope/envelope.ts";
import { failureDataSchema } from "../envelope/envelope-schemas.ts";
import type { MetaOptions } from "../envelope/meta-options.ts";
import type { FailureOptions } from "../errors/contract-error.ts";
import { currentCode, firstOfType, lookUpCode } from "../errors/error-catalogue.ts";
import { refuseWireNames } from "../errors/option-names.ts";
import { fillRemedies, toRemedies } from "../errors/remedy.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { listProblems } from "../json/validator.ts";
import { isEmpty, refuse, toMeta } from "./to-meta.ts";

/**
 * Builds the envelope of a success. The payload is neither copied nor changed.
 *
 * @example
 * successResponse({ tasks }, { pagination: { cursor: null, hasMore: false, pageSize: 2 } });
 */
export function successResponse<T extends object = UnknownRecord>(
  data?: (T & (T extends readonly unknown[] ? never : unknown)) | null,
  options: MetaOptions = {},
): Success<T> {
  const payload: unknown = data || {};
  if (!isRecord(payload)) refuse("$.data", "must be an object; put other payloads under a named key");
  refuseWireNames("successResponse", options);
  return { success: true, data: payload as T, error: null, meta: toMeta(options) };
}

/**
 * Builds the envelope of a failure; missing options are taken from the error catalogue.
 *
 * @example
 * errorResponse("Spec not found: my-spec", { errorCode: "SPEC_NOT_FOUND", requestId });
 */
export function errorResponse(message: string, given: FailureOptions = {}): Failure {
  const options = given ?? {};
  refuseWireNames("errorResponse", options);
  if (typeof message !== "string" || message.trim() === "") refuse("$.error", "must not be blank");
  return { success: false, data: toFailureData(options), error: message, meta: toMeta(options) };
}

function toFailureData(options: FailureOptions): FailureData {
  const given = options.data ?? {};
  if (!isRecord(given)) refuse("$.data", "must be an object");
  const type = unlessBlank(given["error_type"]) ?? unlessBlank(options.errorType);
  const wanted =
    unlessBlank(given["error_code"]) ??
    unlessBlank(options.errorCode) ??
    (type === undefined ? "INTERNAL_ERROR" : firstOfType(type)[0]);
  const code = typeof wanted === "string" ? currentCode(wanted) : wanted;
  const entry = lookUpCode(code) ?? firstOfType(type)[1];
  // The remedy of the catalogue refers to the remediation text of the catalogue, so both are used or neither.
  const isOwn = (options.remediation ?? options.remedy) !== undefined;
  const { remediation = entry.remediation, remedy } = isOwn ? options : entry;
  const [first, ...others] = toRemedies(remedy);
  const fields: Record<string, unknown> = {
    error_code: code,
    error_type: type ?? entry.type,
    remediation:
      given["remediation"] ?? fillRemedies(remediation, toRemedies(remedy), options.describeRemedy),
    remedy: given["remedy"] ?? first,
    other_remedies: given["other_remedies"] ?? others,
    details: given["details"] ?? options.details,
  };
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) if (!isEmpty(fields[key])) data[key] = fields[key];
  for (const key of Object.keys(given)) if (!Object.hasOwn(fields, key)) setOwn(data, key, given[key]);
  const [problem] = listProblems(failureDataSchema, data);
  if (problem !== undefined) refuse(problem.path.replace("$", "$.data"), problem.message);
  return data;
}

function unlessBlank(value: unknown): unknown {
  return value === null || (typeof value === "string" && value.trim() === "") ? undefined : value;
}
