import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import type { z } from "zod";

/** The maximum number of problems that a message lists. Further problems are only counted. */
const maxListed = 10;

/** Formats a path in the usual notation: `calls[2].tool`, `mcpServers["my server"].url`. */
export function toFieldPath(path: readonly PropertyKey[]): string {
  const name = path.map((part, index) => {
    if (typeof part === "number") return `[${part}]`;
    const key = String(part);
    if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key.slice(0, 100).toWellFormed())}]`;
    return index === 0 ? key : `.${key}`;
  });
  return name.join("") || "the whole";
}

/** Converts the issues of a schema to a single error for the file. */
export function toSchemaError(
  origin: string,
  issues: readonly z.core.$ZodIssue[],
  knownKeys: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): ContractError {
  return toConfigError(
    origin,
    issues.flatMap((issue) => toProblems(issue, knownKeys)),
  );
}

/** Converts the problems of a file to a single error. Each message begins with its field. */
export function toConfigError(origin: string, problems: readonly FieldError[]): ContractError {
  const listed = problems.slice(0, maxListed);
  const rest = problems.length > maxListed ? `; and ${problems.length - maxListed} more` : "";
  return validationError(listed, {
    message: `Cannot read ${origin}: ${listed.map(({ message }) => message).join("; ")}${rest}`,
    remediation: `Correct ${listed.map(({ field }) => field).join(", ")} in ${origin}.`,
  });
}

function toProblems(
  issue: z.core.$ZodIssue,
  knownKeys: (path: readonly PropertyKey[]) => readonly string[],
): readonly FieldError[] {
  const { path } = issue;
  if (issue.code === "unrecognized_keys") {
    const known = knownKeys(path).join(", ");
    return issue.keys.map((key) => {
      const field = toFieldPath([...path, key]);
      return { field, constraint: "unknown", message: `${field} is not a known key; the keys are ${known}` };
    });
  }
  const field = toFieldPath(path);
  return [{ field, constraint: toConstraint(issue), message: `${field} ${issue.message}` }];
}

function toConstraint({ code, message }: z.core.$ZodIssue): string {
  if (message === required) return "required";
  return code === "invalid_type" ? "type" : code === "invalid_value" ? "enum" : code;
}

const required = "is required";

/**
 * Returns the messages of a schema: "must be a text" for a value of the wrong type, "is required" for a missing value.
 */
export function expected(what: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? required : `must be ${what}`) };
}
