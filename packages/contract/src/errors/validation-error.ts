import { isTooDeep } from "../json/json-depth.ts";
import { toText } from "../json/json-value.ts";
import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";
import { isSecretName } from "./looks-secret.ts";
import { describeValue, isQuotable, quoteField } from "./quotable.ts";

/** One argument that breaks a rule of its schema. */
export interface FieldError {
  readonly field: string;
  /** The violated rule: `required`, `type`, `format`, `pattern`, `enum`, `minimum`, … */
  readonly constraint: string;
  /**
   * The value that was sent; only numbers, booleans, null and short plain texts are repeated as they are.
   * @default null for the constraint `required`, else none
   */
  readonly received?: unknown;
  readonly pattern?: string;
  /** A valid value, in words or as an example. */
  readonly expected?: unknown;
  readonly message?: string;
}

/**
 * Creates the failure of invalid input from one field error or several, of which at most 50 are listed; `details` repeats
 * the first one at its top level.
 *
 * @example
 * throw validationError({ field: "spec_id", constraint: "required" });
 */
export function validationError(
  fields: FieldError | readonly FieldError[],
  options: Omit<FailureOptions, "details"> & { readonly message?: string } = {},
): ContractError {
  const all = [fields].flat();
  const errors = all.slice(0, maxFieldErrors).map(toSafeFieldError);
  const [first, second] = errors;
  const rest = all.length > errors.length ? `; and ${all.length - errors.length} more` : "";
  if (first === undefined) throw new TypeError("Cannot make a validation error: no field error was given");
  const codes = new Set(errors.map(({ constraint }) => toErrorCode(constraint)));
  const remedies = errors.map(toRemedy).join("; ");
  const { message = `Validation failed: ${errors.map(toMessage).join("; ")}${rest}`, ...others } =
    withoutUndefined(options);
  const { message: _, ...details } = first;
  return new ContractError(message, {
    errorCode: codes.size === 1 ? [...codes][0] : "VALIDATION_ERROR",
    remediation: `${remedies.charAt(0).toUpperCase()}${remedies.slice(1)}.`,
    ...others,
    details: second === undefined ? details : { ...details, errors },
  });
}

/** More errors are counted and not listed: a caller may send a hundred thousand wrong items. */
const maxFieldErrors = 50;

function toErrorCode(constraint: string): string {
  if (constraint === "required") return "MISSING_REQUIRED";
  return ["type", "format", "json"].includes(constraint) ? "INVALID_FORMAT" : "VALIDATION_ERROR";
}

function toMessage(error: FieldError): string {
  const requirement = error.constraint === "required" ? "is required" : toRequirement(error);
  return error.message ?? `${error.field} ${requirement}`;
}

function toRemedy(error: FieldError): string {
  if (error.constraint === "required") return `provide ${error.field}`;
  return `correct ${error.field}: ${error.message ?? `it ${toRequirement(error)}`}`;
}

function toRequirement({ expected, pattern, constraint }: FieldError): string {
  if (constraint === "unknown") return "is not known";
  if (pattern !== undefined) return `must match ${pattern}`;
  if (expected === undefined || isTooDeep(expected)) return `violates ${constraint}`;
  if (typeof expected === "string") return `must be ${expected}`;
  return `must be ${Array.isArray(expected) ? `one of ${expected.join(", ")}` : toText(expected)}`;
}

/** Replaces values and names that must not be repeated (code, markup, secrets, long texts) by their type and length. */
function toSafeFieldError(error: FieldError): FieldError {
  const field = quoteField(error.field, error.constraint === "unknown");
  const { message: _, ...rest } = error;
  // A message about a name that must not be repeated repeats it.
  const safe = { ...(field === error.field ? error : rest), field };
  // The documents report null for a field that is missing.
  const { received = error.constraint === "required" ? null : undefined } = error;
  return received === undefined
    ? safe
    : { ...safe, received: toSafeValue(received, isSecretName(error.field)) };
}

function toSafeValue(value: unknown, isSecret: boolean): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && !isSecret) return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string" && !isSecret && isQuotable(value)) return value;
  return describeValue(value);
}
