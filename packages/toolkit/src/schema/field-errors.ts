import type { FieldError } from "@foundry-mcp/contract";
import { byLikeness, maxNames } from "../text/did-you-mean.ts";
import type { SchemaIssue } from "./schema.ts";

/** The members of a zod issue; other libraries provide the message only. */
interface ZodIssue extends SchemaIssue {
  readonly code?: string;
  readonly expected?: unknown;
  readonly format?: string;
  readonly pattern?: string;
  readonly values?: readonly unknown[];
  readonly minimum?: unknown;
  readonly maximum?: unknown;
  readonly inclusive?: boolean;
  readonly origin?: string;
  readonly divisor?: unknown;
  readonly keys?: readonly string[];
}

/**
 * The maximum number of issues that are converted. A caller may send a hundred thousand wrong items, but a failure
 * lists only a few.
 */
const maxIssues = 1_000;

/** Converts the issues of a schema to field errors of the contract. */
export function toFieldErrors(issues: readonly SchemaIssue[], value: unknown): FieldError[] {
  return issues.slice(0, maxIssues).flatMap((issue) => toFieldError(issue, value));
}

function toFieldError(issue: ZodIssue, value: unknown): FieldError | FieldError[] {
  const path = (issue.path ?? []).map((segment) => (typeof segment === "object" ? segment.key : segment));
  const field = toFieldName(path);
  const received = readPath(value, path);
  if (received === undefined && path.length > 0 && issue.code !== "custom") {
    return { field, constraint: "required" };
  }
  switch (issue.code) {
    case "invalid_type":
      return { field, constraint: "type", expected: withArticle(String(issue.expected)), received };
    case "invalid_value":
      return toEnumError(field, issue.values ?? [], received);
    case "invalid_format":
      return issue.format === "regex" && issue.pattern !== undefined
        ? { ...toPatternError(field, issue), pattern: withoutSlashes(issue.pattern), received }
        : { field, constraint: "format", expected: withArticle(String(issue.format)), received };
    case "too_small":
      return { field, constraint: "minimum", expected: toBound("at least", "more than", issue), received };
    case "too_big":
      return { field, constraint: "maximum", expected: toBound("at most", "less than", issue), received };
    case "not_multiple_of":
      return {
        field,
        constraint: "multiple_of",
        expected: `a multiple of ${String(issue.divisor)}`,
        received,
      };
    case "unrecognized_keys":
      return (issue.keys ?? []).slice(0, maxIssues).map((key) => ({
        field: toFieldName([...path, key]),
        constraint: "unknown",
        message: `${toFieldName([...path, key])} is not known`,
      }));
    case "invalid_union":
      return { field, constraint: "type", expected: "one of the forms that the schema allows", received };
    default:
      return { field, constraint: "rule", message: `${field}: ${issue.message}`, received };
  }
}

/** Creates the error for a text of the wrong form; a message that the schema declares replaces the pattern. */
function toPatternError(field: string, { message }: ZodIssue): FieldError {
  const isDeclared = !message.startsWith("Invalid string:");
  return { field, constraint: "pattern", ...(isDeclared ? { message: `${field} ${message}` } : {}) };
}

/**
 * Creates the error for a value that is not in a list of values. If the list is long, only the most similar values
 * are included, in `expected`.
 */
function toEnumError(field: string, values: readonly unknown[], received: unknown): FieldError {
  if (values.length <= maxNames) return { field, constraint: "enum", expected: values, received };
  const nearest = byLikeness(String(received), values.map(String)).slice(0, maxNames);
  const message = `${field} is none of its ${values.length} values, such as ${nearest.join(", ")}`;
  return { field, constraint: "enum", message, expected: nearest, received };
}

/** Formats a path in the form that callers write: `items[2].name`. */
export function toFieldName(path: readonly PropertyKey[]): string {
  const name = path.reduce<string>(
    (before, key) =>
      typeof key === "number"
        ? `${before}[${key}]`
        : before === ""
          ? String(key)
          : `${before}.${String(key)}`,
    "",
  );
  return name === "" ? "arguments" : name;
}

function readPath(value: unknown, path: readonly PropertyKey[]): unknown {
  let inner = value;
  for (const key of path) {
    if (typeof inner !== "object" || inner === null || !Object.hasOwn(inner, key)) return undefined;
    inner = (inner as Record<PropertyKey, unknown>)[key];
  }
  return inner;
}

function toBound(inclusive: string, exclusive: string, issue: ZodIssue): string {
  const bound = String(issue.minimum ?? issue.maximum);
  const unit = issue.origin === "string" ? " character" : issue.origin === "array" ? " item" : "";
  const plural = unit === "" || bound === "1" ? "" : "s";
  return `${issue.inclusive === false ? exclusive : inclusive} ${bound}${unit}${plural}`;
}

/** Converts a JavaScript regular expression literal, as zod reports it, to the pattern of JSON Schema. */
function withoutSlashes(pattern: string): string {
  return pattern.replace(/^\/(.*)\/[a-z]*$/s, "$1");
}

const wordsOf: Readonly<Record<string, string>> = { int: "integer", bool: "boolean", record: "object" };

function withArticle(name: string): string {
  const word = wordsOf[name] ?? name;
  return `${/^[aeiou]/.test(word) ? "an" : "a"} ${word}`;
}
