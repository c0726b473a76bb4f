import { isTooDeep } from "../json/json-depth.ts";
import { toText } from "../json/json-value.ts";
import { ContractError, type FailureOptions, withoutUndefined } from "./contract-error.ts";

/** One argument that breaks a rule of its schema. */
export interface FieldError {
  readonly field: string;
  /** The violated rule: `required`, `type`, `format`, `pattern`, `enum`, `minimum`, … */
  readonly constraint: string;
  /** The value that was sent; only short single-line scalars are repeated as they are. */
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
  if (pattern !== undefined) return `must match ${pattern}`;
  if (expected === undefined || isTooDeep(expected)) return `violates ${constraint}`;
  if (typeof expected === "string") return `must be ${expected}`;
  return `must be ${Array.isArray(expected) ? `one of ${expected.join(", ")}` : toText(expected)}`;
}

/** Names of arguments that hold secrets: `api_key`, `accessToken`, `password`, but not `max_tokens`. */
const secretName =
  /(^|[._-])(pass(word|wd|phrase)|pwd|pin|secret|token|jwt|auth|authorization|cookie|credentials?|(api|access|private|ssh)[_-]?key)($|[._-])|(Password|Secret|Token|(Api|Access|Secret|Private|Ssh)Key)$/i;

/** Replaces values that must not be repeated (long, structured, secret) by their type and length. */
function toSafeFieldError(error: FieldError): FieldError {
  const field = quoteShort(error.field);
  if (error.received === undefined) return { ...error, field };
  return { ...error, field, received: toSafeValue(error.received, secretName.test(error.field)) };
}

function toSafeValue(value: unknown, isSecret: boolean): unknown {
  if (value === null || typeof value === "boolean") return value;
  if (typeof value === "number" && !isSecret) return Number.isFinite(value) ? value : String(value);
  if (typeof value === "string" && !isSecret && isShort(value)) return value;
  return describeValue(value);
}

/** Returns an identifier as a message may quote it: itself where it is short, else its type and length. */
export function quoteShort(value: unknown): string {
  // The text of a list is made by recursion, and an object may have a toString of its own.
  if (typeof value === "object" && value !== null) return describeValue(value);
  const text = String(value).toWellFormed();
  return isShort(text) ? text : describeValue(value);
}

const maxQuotedLength = 200;
// biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters
const lineBreakOrControl = /[\u0000-\u001f\u007f\u2028\u2029]/;

/** True for a single line of at most 200 characters, which a message may quote. */
export function isShort(text: string): boolean {
  // The code units are compared first: counting the characters of a text of megabytes would take long.
  return (
    text.length <= 2 * maxQuotedLength &&
    [...text].length <= maxQuotedLength &&
    !lineBreakOrControl.test(text)
  );
}

function describeValue(value: unknown): string {
  if (typeof value === "string") return `string of ${value.length} characters`;
  if (Array.isArray(value)) return `array of ${value.length} items`;
  return typeof value === "object" ? "object" : typeof value;
}
