import type { ErrorOptions } from "../errors/contract-error.ts";
import { currentCode, firstOfType, lookUpCode } from "../errors/error-catalogue.ts";
import { isRecord, setOwn } from "../json/json-value.ts";
import { failureDataSchema } from "../schema/envelope-schemas.ts";
import { listProblems } from "../schema/validators.ts";
import type { Failure, FailureData } from "./envelope.ts";
import { refuse } from "./refuse.ts";
import { isEmpty, toMeta } from "./to-meta.ts";

/**
 * Builds the envelope of a failure; what is not given comes from the error catalogue.
 *
 * @example
 * errorResponse("Spec not found: my-spec", { errorCode: "SPEC_NOT_FOUND", requestId });
 */
export function errorResponse(message: string, options: ErrorOptions = {}): Failure {
  if (typeof message !== "string" || message.trim() === "") refuse("$.error", "must not be blank");
  return { success: false, data: toFailureData(options), error: message, meta: toMeta(options) };
}

function toFailureData({
  errorCode,
  errorType,
  remediation,
  details,
  data: given,
}: ErrorOptions): FailureData {
  const code = currentCode(
    errorCode ?? (errorType === undefined ? "INTERNAL_ERROR" : firstOfType(errorType)[0]),
  );
  const entry = lookUpCode(code) ?? firstOfType(errorType)[1];
  const data: Record<string, unknown> = {
    error_code: code,
    error_type: errorType ?? entry.type,
    remediation: remediation ?? entry.remediation,
    details,
  };
  const more = given ?? {};
  if (!isRecord(more)) refuse("$.data", "must be an object");
  for (const key of Object.keys(more)) setOwn(data, key, more[key]);
  for (const key of ["error_code", "error_type", "remediation", "details"])
    if (isEmpty(data[key])) delete data[key];
  const [problem] = listProblems(failureDataSchema, data);
  if (problem !== undefined) refuse(problem.path.replace("$", "$.data"), problem.message);
  return data;
}
