import { isTooDeep } from "../json/json-depth.ts";
import { toText } from "../json/json-value.ts";
import { nearest } from "../text/nearest.ts";
import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";
import { isSecretName } from "./looks-secret.ts";
import { describeValue, isQuotable, quoteField } from "./quotable.ts";
import { toParameterPlace } from "./remedy.ts";

/** The error of one argument that violates a rule of its schema. */
export interface FieldError {
  readonly field: string;
  /** The violated rule: `required`, `type`, `format`, `pattern`, `enum`, `minimum`, … */
  readonly constraint: string;
  /**
   * The value that was sent; only numbers, booleans, null and short plain texts are repeated unchanged.
   * @default null for the constraint `required`, otherwise none
   */
  readonly received?: unknown;
  readonly pattern?: string;
  /** A description or an example of a valid value. */
  readonly expected?: unknown;
  readonly message?: string;
  /** A clause for the remediation, such as `provide {--title}`. It is not sent as part of the error. */
  readonly remediation?: string | undefined;
}

/**
 * Creates the failure of invalid input from one or more field errors, of which at most 50 are listed; `details` repeats
 * the first field error at its top level.
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
  const isDescribed = options.message === undefined;
  const remedies = errors
    .map((error, index) => all[index]?.remediation ?? toRemedy(error, isDescribed))
    .join("; ");
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

/**
 * The maximum number of errors that are listed. Further errors are only counted, because a call may contain thousands
 * of invalid items.
 */
const maxFieldErrors = 50;

function toErrorCode(constraint: string): string {
  if (constraint === "required") return "MISSING_REQUIRED";
  return ["type", "format", "json"].includes(constraint) ? "INVALID_FORMAT" : "VALIDATION_ERROR";
}

function toMessage(error: FieldError): string {
  const requirement = error.constraint === "required" ? "is required" : toRequirement(error);
  return error.message ?? `${error.field} ${requirement}`;
}

/**
 * Returns the remedy for an error, as a clause. If the message already lists the allowed values (`isDescribed`), the
 * remedy does not repeat them.
 */
function toRemedy(error: FieldError, isDescribed: boolean): string {
  const { constraint, expected, message } = error;
  const place = toParameterPlace(error.field);
  if (constraint === "required") return `provide ${place}`;
  if (constraint !== "enum" || !Array.isArray(expected))
    return `correct ${place}: ${message ?? `it ${toRequirement(error)}`}`;
  const guess = guessOf(error);
  const values = isDescribed ? "one of its values" : `one of ${expected.join(", ")}`;
  return `give ${place} ${values}${guess === undefined ? "" : ` (did you mean ${guess}?)`}`;
}

/** Returns the allowed value that was probably meant; undefined if none is similar. */
function guessOf({ expected, received }: FieldError): string | undefined {
  if (typeof received !== "string" || !Array.isArray(expected)) return undefined;
  return nearest(
    received,
    expected.filter((value) => typeof value === "string"),
  );
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
  const { remediation: _remediation, ...sent } = error;
  const { message: _, ...rest } = sent;
  // The caller's message is dropped, because it contains a name that must not be quoted.
  const safe = { ...(field === error.field ? sent : rest), field };
  // In the contract documents, the received value of a missing field is null.
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
