import { ContractError, type ErrorOptions } from "./contract-error.ts";
import type { ErrorCode } from "./error-catalogue.ts";
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
  const errors = (Array.isArray(given) ? given : [given as FieldError]).map(toSafeFieldError);
  const [first, second] = errors;
  if (first === undefined) throw new TypeError("Cannot make a validation error: no field error was given");
  const { message = toMessage(errors), ...rest } = options;
  const { message: _, ...fields } = first;
  return new ContractError(message, {
    errorCode: toCode(errors),
    remediation: toRemediation(errors),
    ...rest,
    details: second === undefined ? fields : { ...fields, errors },
  });
}

/** The code that fits all errors, or the general one where they are of several kinds. */
function toCode(errors: readonly FieldError[]): ErrorCode {
  const codes = new Set(errors.map(({ constraint }) => codeOf(constraint)));
  const [only, another] = codes;
  return another === undefined && only !== undefined ? only : "VALIDATION_ERROR";
}

function codeOf(constraint: string): ErrorCode {
  if (constraint === "required") return "MISSING_REQUIRED";
  return ["type", "format", "json"].includes(constraint) ? "INVALID_FORMAT" : "VALIDATION_ERROR";
}

function toMessage(errors: readonly FieldError[]): string {
  return `Validation failed: ${errors.map(describe).join("; ")}`;
}

function describe({ field, constraint, expected, pattern, message }: FieldError): string {
  if (message !== undefined) return message;
  if (constraint === "required") return `${field} is required`;
  if (pattern !== undefined) return `${field} does not match ${pattern}`;
  return expected === undefined ? `${field} violates ${constraint}` : `${field} must be ${toWords(expected)}`;
}

function toRemediation(errors: readonly FieldError[]): string {
  return `${errors.map(toAdvice).join("; ")}.`;
}

function toAdvice({ field, constraint, expected, pattern }: FieldError, index: number): string {
  const verb = (word: string) => (index === 0 ? word : word.toLowerCase());
  if (constraint === "required") return `${verb("Provide")} ${field}`;
  if (pattern !== undefined) return `${verb("Send")} ${field} matching ${pattern}`;
  return expected === undefined
    ? `${verb("Correct")} ${field}`
    : `${verb("Send")} ${field} as ${toWords(expected)}`;
}

function toWords(expected: unknown): string {
  if (typeof expected === "string") return expected;
  return Array.isArray(expected) ? `one of ${expected.join(", ")}` : JSON.stringify(expected);
}
