import { ContractError } from "../errors/contract-error.ts";
import type { FieldError } from "../errors/field-error.ts";
import { getOwn, isRecord } from "../json/json-value.ts";
import type { JsonSchema, SchemaProblem } from "../schema/compile-schema.ts";
import { digestPayloadSchema, evidenceSnippetSchema, maxDigestItems } from "../schema/digest-schemas.ts";
import { compileLazily } from "../schema/validators.ts";
import { type DigestPayload, digestContentType, digestVersion } from "./digest-payload.ts";
import { isLocator } from "./locator.ts";

const validator = compileLazily(digestPayloadSchema);

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
  return validatePayload(parseText(text));
}

/** Checks a value of any origin and returns it as a payload: defaults filled in, unknown keys dropped. */
export function validatePayload(value: unknown): DigestPayload {
  const payload = readPayload(value);
  const problems = validator().problems(payload);
  if (problems.length > 0) throw refusal(problems.map(toFieldError));
  const valid = payload as DigestPayload;
  const locators = valid.evidence_snippets.map(({ locator }) => locator);
  const errors = locators.flatMap((locator, index) => (isLocator(locator) ? [] : [toLocatorError(index)]));
  if (errors.length > 0) throw refusal(errors);
  return valid;
}

function parseText(text: unknown): unknown {
  if (typeof text !== "string")
    throw refusal([toFieldError({ path: "$", keyword: "type", expected: "string" })]);
  try {
    return JSON.parse(text);
  } catch {
    // The engine's message quotes the text, which is the source's and not ours to repeat.
    throw refusal([{ field: root, constraint: "json", message: `${root}: Invalid JSON` }]);
  }
}

/** Copies what the schema names, reading every member once: a getter can neither throw nor answer twice later. */
function readPayload(value: unknown): unknown {
  try {
    const defaults = { version: digestVersion, content_type: digestContentType };
    const copy = pick(value, digestPayloadSchema.shape, defaults);
    if (copy === undefined) return value;
    const { key_points: points, evidence_snippets: snippets } = copy;
    if (Array.isArray(points)) copy["key_points"] = readItems(points, (point) => point);
    if (Array.isArray(snippets)) copy["evidence_snippets"] = readItems(snippets, readSnippet);
    return copy;
  } catch {
    throw refusal([{ field: root, constraint: "type", message: `${root}: Input should be readable` }]);
  }
}

function readSnippet(value: unknown): unknown {
  return pick(value, evidenceSnippetSchema.shape) ?? value;
}

function pick(value: unknown, shape: object, defaults = {}): Record<string, unknown> | undefined {
  if (!isRecord(value)) return undefined;
  const copy: Record<string, unknown> = { ...defaults };
  for (const key of Object.keys(shape)) {
    const member = getOwn(value, key);
    if (member !== undefined) copy[key] = member;
  }
  return copy;
}

/** One item more than allowed is enough to see that there are too many. */
function readItems(items: readonly unknown[], read: (item: unknown) => unknown): unknown[] {
  return Array.from({ length: Math.min(items.length, maxDigestItems + 1) }, (_, index) => read(items[index]));
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

/** The value itself is never told: it may be text of the source. */
function toFieldError({ path, keyword, expected }: Omit<SchemaProblem, "rule">): FieldError {
  const isMissing = keyword === "required";
  const field = (isMissing ? `${path}.${expected}` : path).replace(/^\$\.?/, "") || root;
  const wanted = isMissing ? {} : keyword === "pattern" ? { pattern: String(expected) } : { expected };
  return {
    field,
    constraint: keyword,
    ...wanted,
    message: `${field}: ${toWording(field, keyword, expected)}`,
  };
}

/** The wording of the contract's table, which is pydantic's. */
function toWording(field: string, keyword: keyof JsonSchema, expected: unknown): string {
  switch (keyword) {
    case "required":
      return "Field required";
    case "pattern":
      return `String should match pattern '${expected}'`;
    case "maxLength":
      if (field.startsWith("key_points")) return `exceeds maximum length of ${expected} characters`;
      return `String should have at most ${expected} characters`;
    case "maxItems":
      return `List should have at most ${expected} items`;
    case "minimum":
      return `Input should be greater than or equal to ${expected}`;
    case "maximum":
      return `Input should be less than or equal to ${expected}`;
    default:
      return `Input should be a valid ${expected === "object" ? "dictionary" : expected === "array" ? "list" : expected}`;
  }
}
