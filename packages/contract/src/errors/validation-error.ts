import { ContractError, type ErrorOptions } from "./contract-error.ts";
import { type FieldError, toSafeFieldError } from "./field-error.ts";

/**
 * The input is wrong: one field error or several, each named, the first also at the top of `details`.
 *
 * @example
 * throw validationError({ field: "spec_id", constraint: "required" });
 */
export function validationError(
  given: FieldError | readonly FieldError[],
  options: Omit<ErrorOptions, "details"> & { readonly message?: string } = {},
): ContractError {
  const errors = [given].flat().map(toSafeFieldError);
  const [first, second] = errors;
  if (first === undefined) throw new TypeError("Cannot make a validation error: no field error was given");
  const codes = new Set(errors.map(({ constraint }) => codeOf(constraint)));
  const advice = errors.map(toAdvice).join("; ");
  const { message = `Validation failed: ${errors.map(describe).join("; ")}`, ...rest } = options;
  const { message: _, ...fields } = first;
  return new ContractError(message, {
    errorCode: codes.size === 1 ? [...codes][0] : "VALIDATION_ERROR",
    remediation: `${advice.charAt(0).toUpperCase()}${advice.slice(1)}.`,
    ...rest,
    details: second === undefined ? fields : { ...fields, errors },
  });
}

function codeOf(constraint: string): string {
  if (constraint === "required") return "MISSING_REQUIRED";
  return ["type", "format", "json"].includes(constraint) ? "INVALID_FORMAT" : "VALIDATION_ERROR";
}

function describe({ field, constraint, expected, pattern, message }: FieldError): string {
  if (message !== undefined) return message;
  if (constraint === "required") return `${field} is required`;
  if (pattern !== undefined) return `${field} does not match ${pattern}`;
  return expected === undefined ? `${field} violates ${constraint}` : `${field} must be ${toWords(expected)}`;
}

function toAdvice({ field, constraint, expected, pattern }: FieldError): string {
  if (constraint === "required") return `provide ${field}`;
  if (pattern !== undefined) return `send ${field} matching ${pattern}`;
  return expected === undefined ? `correct ${field}` : `send ${field} as ${toWords(expected)}`;
}

function toWords(expected: unknown): string {
  if (typeof expected === "string") return expected;
  return Array.isArray(expected) ? `one of ${expected.join(", ")}` : JSON.stringify(expected);
}
