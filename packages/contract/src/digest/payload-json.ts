import { ContractError } from "../errors/contract-error.ts";
import type { FieldError } from "../errors/validation-error.ts";
import { toJsonPath } from "../json/json-path.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { digestPayloadSchema } from "./digest-schemas.ts";
import { isLocator } from "./locator.ts";

/** What errors call the payload as a whole. */
const root = "payload";

/**
 * Writes a payload as minified JSON, its keys in the order of the schema; an invalid one is refused.
 *
 * Half a surrogate pair is written as U+FFFD, because strict readers refuse the whole text over it.
 */
export function serializePayload(payload: DigestPayload): string {
  return JSON.stringify(validatePayload(payload), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

/** Reads the content of a digested source; what is no valid payload is refused. */
export function deserializePayload(text: string): DigestPayload {
  if (typeof text !== "string") throw refusal([toTypeError(root, "string")]);
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The engine's message quotes the text, which is the source's and not ours to repeat.
    throw refusal([{ field: root, constraint: "json", message: `${root}: Invalid JSON` }]);
  }
  return validatePayload(value);
}

/** Checks a value of any origin and returns it as a payload: defaults filled in, unknown keys dropped. */
export function validatePayload(value: unknown): DigestPayload {
  const { data, error } = parse(value);
  if (error !== undefined) throw refusal(error.issues.map((issue) => toFieldError(issue, value)));
  const errors = data.evidence_snippets.flatMap(({ locator }, index) =>
    isLocator(locator) ? [] : [toLocatorError(index)],
  );
  if (errors.length > 0) throw refusal(errors);
  return data;
}

function parse(value: unknown) {
  try {
    return digestPayloadSchema.safeParse(value);
  } catch {
    throw refusal([{ field: root, constraint: "type", message: `${root}: Input should be readable` }]);
  }
}

function refusal(errors: readonly FieldError[]): ContractError {
  const isMalformed = errors.every(({ constraint }) => ["type", "json", "format"].includes(constraint));
  const { message: _, ...first } = errors[0] ?? {};
  return new ContractError(errors.map(({ message }) => message).join("; "), {
    errorCode: isMalformed ? "INVALID_FORMAT" : "VALIDATION_ERROR",
    details: { ...first, errors },
  });
}

function toLocatorError(index: number): FieldError {
  const field = `evidence_snippets[${index}].locator`;
  const expected = "a range of exact integers whose end is not before its start";
  return { field, constraint: "format", expected, message: `${field}: Input should be ${expected}` };
}

type Issue = NonNullable<ReturnType<typeof parse>["error"]>["issues"][number];

/** Translates what zod found into the wording of the contract's table, which is pydantic's. The value itself is never told: it may be text of the source. */
function toFieldError(issue: Issue, value: unknown): FieldError {
  const field = toJsonPath(issue.path as (string | number)[]).replace(/^\$\.?/, "") || root;
  const told = (constraint: string, expected: unknown, wording: string): FieldError => ({
    field,
    constraint,
    expected,
    message: `${field}: ${wording}`,
  });
  switch (issue.code) {
    case "too_big": {
      const { origin, maximum } = issue;
      if (origin === "array") return told("maxItems", maximum, `List should have at most ${maximum} items`);
      if (origin !== "string")
        return told("maximum", maximum, `Input should be less than or equal to ${maximum}`);
      const limit = field.startsWith("key_points")
        ? "exceeds maximum length of"
        : "String should have at most";
      return told("maxLength", maximum, `${limit} ${maximum} characters`);
    }
    case "too_small":
      return told("minimum", issue.minimum, `Input should be greater than or equal to ${issue.minimum}`);
    case "invalid_format": {
      const pattern = String((issue as { pattern?: string }).pattern).slice(1, -1);
      return {
        field,
        constraint: "pattern",
        pattern,
        message: `${field}: String should match pattern '${pattern}'`,
      };
    }
    case "invalid_type":
      if (field !== root && isMissing(value, issue.path))
        return { field, constraint: "required", message: `${field}: Field required` };
      return toTypeError(field, issue.expected === "int" ? "integer" : issue.expected);
    default:
      return { field, constraint: issue.code, message: `${field}: ${issue.message}` };
  }
}

function toTypeError(field: string, expected: string): FieldError {
  const name = expected === "object" ? "dictionary" : expected === "array" ? "list" : expected;
  return { field, constraint: "type", expected, message: `${field}: Input should be a valid ${name}` };
}

function isMissing(value: unknown, path: readonly PropertyKey[]): boolean {
  return (
    path.reduce<unknown>(
      (inner, key) => (inner as Record<PropertyKey, unknown> | undefined)?.[key],
      value,
    ) === undefined
  );
}
