import { toText } from "../json/json-value.ts";
import { ContractError, type FailureOptions, given } from "./contract-error.ts";
import { type FieldError, toSafeFieldError } from "./field-error.ts";

/**
 * The input is wrong: one field error or several, each named, the first also at the top of `details`.
 *
 * @example
 * throw validationError({ field: "spec_id", constraint: "required" });
 */
export function validationError(
  fields: FieldError | readonly FieldError[],
  options: Omit<FailureOptions, "details"> & { readonly message?: string } = {},
): ContractError {
  const errors = [fields].flat().map(toSafeFieldError);
  const [first, second] = errors;
  if (first === undefined) throw new TypeError("Cannot make a validation error: no field error was given");
  const codes = new Set(errors.map(({ constraint }) => codeOf(constraint)));
  const advice = errors.map(toAdvice).join("; ");
  const { message = `Validation failed: ${errors.map(describe).join("; ")}`, ...rest } = given(options);
  const { message: _, ...told } = first;
  return new ContractError(message, {
    errorCode: codes.size === 1 ? [...codes][0] : "VALIDATION_ERROR",
    remediation: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`,
    ...rest,
    details: second === undefined ? told : { ...told, errors },
  });
}

function codeOf(constraint: string): string {
  if (constraint === "required") return "MISSING_REQUIRED";
  return ["type", "format", "json"].includes(constraint) ? "INVALID_FORMAT" : "VALIDATION_ERROR";
}

function describe(error: FieldError): string {
  return error.message ?? `${error.field} ${error.constraint === "required" ? "is required" : toWish(error)}`;
}

function toAdvice(error: FieldError): string {
  if (error.constraint === "required") return `provide ${error.field}`;
  return `correct ${error.field}: ${error.message ?? `it ${toWish(error)}`}`;
}

/** What the value must be or do. */
function toWish({ expected, pattern, constraint }: FieldError): string {
  if (pattern !== undefined) return `must match ${pattern}`;
  if (expected === undefined) return `violates ${constraint}`;
  return `must be ${typeof expected === "string" ? expected : Array.isArray(expected) ? `one of ${expected.join(", ")}` : toText(expected)}`;
}
