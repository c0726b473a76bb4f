import type { Failure, FailureData } from "../envelope/envelope.ts";
import { v1CodeOf } from "../errors/define-errors.ts";
import { errorCatalogue, lookUpCode } from "../errors/error-catalogue.ts";
import { errorTypes, isErrorType } from "../errors/error-types.ts";
import { isRecord, setOwn, type UnknownRecord } from "../json/json-value.ts";
import { type EnvelopeV1Code, type EnvelopeV1Error, envelopeV1Codes } from "./envelope-v1.ts";

/** The keys of `error_details` that hold fields of a failure which envelope-v1 has no place for. */
const borrowedKeys = ["source_error_code", "error_type", "remediation", "data"];

/** Each envelope-v1 code has one code of ours that stands for it: the one of the same name, else the first that maps to it. */
export const codeOfV1: ReadonlyMap<string, string> = new Map(
  envelopeV1Codes.map((v1) => {
    const sameName = v1.toUpperCase();
    const firstMapped = Object.entries(errorCatalogue).find(([, entry]) => entry.v1 === v1)?.[0];
    return [v1, lookUpCode(sameName) === undefined ? (firstMapped ?? "INTERNAL_ERROR") : sameName];
  }),
);

/** A failure's code, type, remediation and details as the error of an envelope-v1. */
export function toV1Error(failure: Failure): EnvelopeV1Error {
  const {
    error_code: code = "INTERNAL_ERROR",
    error_type: type,
    remediation,
    details,
    payload: _,
    ...rest
  } = failure.data;
  const v1 = toV1Code(code, type);
  const borrowed: Record<string, unknown> = {};
  if (codeOfV1.get(v1) !== code) borrowed["source_error_code"] = code;
  if (type !== undefined && type !== typeOf(code)) borrowed["error_type"] = type;
  if (remediation !== undefined && remediation !== remediationOf(code, type))
    borrowed["remediation"] = remediation;
  if (Object.keys(rest).length > 0) borrowed["data"] = rest;
  const all = { ...details, ...borrowed };
  return { error: failure.error, error_code: v1, error_details: Object.keys(all).length > 0 ? all : null };
}

/** The payload of a failure, read from an envelope-v1's error. */
export function fromV1Error(error: EnvelopeV1Error): FailureData {
  const given: UnknownRecord = isRecord(error.error_details) ? error.error_details : {};
  const source = given["source_error_code"];
  const code = typeof source === "string" && source !== "" ? source : fromV1Code(error.error_code);
  const type =
    typeof given["error_type"] === "string" && given["error_type"] !== ""
      ? given["error_type"]
      : typeOf(code);
  const hint = given["remediation"] ?? given["hint"];
  const details: Record<string, unknown> = {};
  for (const key of Object.keys(given)) if (!borrowedKeys.includes(key)) setOwn(details, key, given[key]);
  const data: Record<string, unknown> = {
    error_code: code,
    error_type: type,
    remediation: typeof hint === "string" ? hint : remediationOf(code, type),
  };
  if (Object.keys(details).length > 0) data["details"] = details;
  const rest = given["data"];
  if (isRecord(rest))
    for (const key of Object.keys(rest)) if (!Object.hasOwn(data, key)) setOwn(data, key, rest[key]);
  return data;
}

function toV1Code(code: string, type: string | undefined): EnvelopeV1Code {
  return lookUpCode(code)?.v1 ?? v1CodeOf(type ?? "internal");
}

/** Codes that no one knows keep their name in our spelling. */
function fromV1Code(code: string): string {
  return (
    codeOfV1.get(code) ??
    (code
      .toUpperCase()
      .replace(/[^A-Z0-9]+/g, "_")
      .replace(/^[_0-9]+/, "") ||
      "INTERNAL_ERROR")
  );
}

function typeOf(code: string): string {
  return lookUpCode(code)?.type ?? "internal";
}

function remediationOf(code: string, type: string | undefined): string {
  return lookUpCode(code)?.remediation ?? errorTypes[isErrorType(type) ? type : "internal"].meaning;
}
