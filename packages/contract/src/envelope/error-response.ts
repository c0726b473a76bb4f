import { ContractError, type ErrorOptions } from "../errors/contract-error.ts";
import { currentCode, errorCatalogue, lookUpCode } from "../errors/error-catalogue.ts";
import { errorTypes, isErrorType } from "../errors/error-types.ts";
import { isRecord, setOwn } from "../json/json-value.ts";
import type { Failure, FailureData } from "./envelope.ts";
import { toMeta } from "./to-meta.ts";

/**
 * Builds the envelope of a failure; what is not given comes from the error catalogue.
 *
 * @example
 * errorResponse("Spec not found: my-spec", { errorCode: "SPEC_NOT_FOUND", requestId });
 */
export function errorResponse(message: string, options: ErrorOptions = {}): Failure {
  if (typeof message !== "string" || message.trim() === "") {
    throw refusal("the message of a failure must not be blank", "$.error");
  }
  return { success: false, data: toFailureData(options), error: message, meta: toMeta(options) };
}

function toFailureData(options: ErrorOptions): FailureData {
  const given = options.data ?? {};
  if (!isRecord(given)) throw refusal("data of a failure must be an object", "$.data");
  const code = currentCode(options.errorCode ?? firstCodeOf(options.errorType));
  const entry = lookUpCode(code);
  const type = options.errorType ?? entry?.type ?? "internal";
  const fields: Record<string, unknown> = {
    error_code: code,
    error_type: type,
    remediation: options.remediation ?? entry?.remediation ?? remediationOf(type),
    details: options.details,
  };
  const data: Record<string, unknown> = {};
  for (const key of Object.keys(fields)) {
    const value = Object.hasOwn(given, key) ? given[key] : fields[key];
    if (!isBlank(value)) data[key] = value;
  }
  for (const key of Object.keys(given)) if (!Object.hasOwn(fields, key)) setOwn(data, key, given[key]);
  const wrong = Object.keys(data).find((key) => !hasItsType(key, data[key]));
  if (wrong !== undefined) throw refusal(`${wrong} of a failure has the wrong type`, `$.data.${wrong}`);
  return data as FailureData;
}

function firstCodeOf(type: string | undefined): string {
  if (type === undefined) return "INTERNAL_ERROR";
  return Object.entries(errorCatalogue).find(([, entry]) => entry.type === type)?.[0] ?? "INTERNAL_ERROR";
}

function remediationOf(type: string): string {
  return isErrorType(type) ? errorTypes[type].meaning : errorTypes.internal.meaning;
}

function isBlank(value: unknown): boolean {
  return value === undefined || value === null || (isRecord(value) && Object.keys(value).length === 0);
}

function hasItsType(key: string, value: unknown): boolean {
  if (key === "details") return isRecord(value);
  return !["error_code", "error_type", "remediation"].includes(key) || typeof value === "string";
}

function refusal(problem: string, path: string): ContractError {
  return new ContractError(`Cannot build the answer: ${problem}`, {
    errorCode: "INTERNAL_ERROR",
    remediation: "This is a fault of the tool, not of the call; report it to the tool's author.",
    details: { path },
  });
}
