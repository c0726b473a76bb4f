import { ContractError } from "../errors/contract-error.ts";
import { tooDeep } from "../errors/too-deep.ts";
import type { FieldError } from "../errors/validation-error.ts";
import { toJsonPath } from "../json/json-path.ts";
import { JsonDepthError, parseJsonText } from "../json/parse-json-text.ts";
import type { DigestPayload } from "./digest-payload.ts";
import { digestPayloadSchema } from "./digest-schemas.ts";
import { isLocator } from "./locator.ts";

/** The name that errors use for the whole payload. */
const root = "payload";

/**
 * Serializes a payload as minified JSON with its keys in the order of the schema; throws for an invalid payload.
 *
 * A lone surrogate is written as U+FFFD, because strict parsers refuse a text that contains one.
 */
export function serializePayload(payload: DigestPayload): string {
  return JSON.stringify(validatePayload(payload), (_, value: unknown) =>
    typeof value === "string" ? value.toWellFormed() : value,
  );
}

/** Parses the content of a digested source; throws for an invalid payload. */
export function deserializePayload(text: string): DigestPayload {
  if (typeof text !== "string") throw toError([toTypeError(root, "string")]);
  let value: unknown;
  try {
    value = parseJsonText(text);
  } catch (cause) {
    if (cause instanceof JsonDepthError) throw tooDeep(root);
    // The parser's message is not used, because it quotes the text, and errors must not repeat content of the
    // source.
    throw toError([{ field: root, constraint: "json", message: `${root}: Invalid JSON` }]);
  }
  return validatePayload(value);
}

/** Validates any value and returns it as a payload, with defaults filled in and unknown keys dropped. */
export function validatePayload(value: unknown): DigestPayload {
  const { data, error } = parse(value);
  if (error !== undefined) throw toError(error.issues.map((issue) => toFieldError(issue, value)));
  const errors = data.evidence_snippets.flatMap(({ locator }, index) =>
    isLocator(locator) ? [] : [toLocatorError(index)],
  );
  if (errors.length > 0) throw toError(errors);
  return data;
}

function parse(value: unknown) {
  try {
    return digestPayloadSchema.safeParse(value);
  } catch {
    throw toError([{ field: root, constraint: "type", message: `${root}: Input should be readable` }]);
  }
}

function toError(errors: readonly FieldError[]): ContractError {
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

/**
 * Converts a zod issue to the wording of pydantic, which the contract prescribes. The error never contains the
 * value, because the value may be content of the source.
 */
function toFieldError(issue: Issue, value: unknown): FieldError {
  const field = toJsonPath(issue.path as (string | number)[]).replace(/^\$\.?/, "") || root;
  const toLimitError = (constraint: string, expected: unknown, wording: string): FieldError => ({
    field,
    constraint,
    expected,
    message: `${field}: ${wording}`,
  });
  switch (issue.code) {
    case "too_big": {
      const { origin, maximum } = issue;
      if (origin === "array")
        return toLimitError("maxItems", maximum, `List should have at most ${maximum} items`);
      if (origin !== "string")
        return toLimitError("maximum", maximum, `Input should be less than or equal to ${maximum}`);
      const limit = field.startsWith("key_points")
        ? "exceeds maximum length of"
        : "String should have at most";
      return toLimitError("maxLength", maximum, `${limit} ${maximum} characters`);
    }
    case "too_small":
      return toLimitError(
        "minimum",
        issue.minimum,
        `Input should be greater than or equal to ${issue.minimum}`,
      );
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
