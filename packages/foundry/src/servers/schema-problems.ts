import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import type { z } from "zod";

/** As many problems as a message tells; the rest is counted. */
const mostTold = 10;

/** The place of a value as people write it: `calls[2].tool`, `mcpServers["my server"].url`. */
export function toPlaceName(path: readonly PropertyKey[]): string {
  const name = path.map((part, index) => {
    if (typeof part === "number") return `[${part}]`;
    const key = String(part);
    if (!/^[A-Za-z_][\w-]*$/.test(key)) return `[${JSON.stringify(key.slice(0, 100).toWellFormed())}]`;
    return index === 0 ? key : `.${key}`;
  });
  return name.join("") || "the whole";
}

/** What a schema found wrong in a file, as one failure. */
export function toSchemaError(
  origin: string,
  issues: readonly z.core.$ZodIssue[],
  knownKeys: (path: readonly PropertyKey[]) => readonly string[] = () => [],
): ContractError {
  return toFileError(
    origin,
    issues.flatMap((issue) => toProblems(issue, knownKeys)),
  );
}

/** Problems of a file as one failure; each message begins with its field. */
export function toFileError(origin: string, problems: readonly FieldError[]): ContractError {
  const told = problems.slice(0, mostTold);
  const rest = problems.length > mostTold ? `; and ${problems.length - mostTold} more` : "";
  return validationError(told, {
    message: `Cannot read ${origin}: ${told.map(({ message }) => message).join("; ")}${rest}`,
    remediation: `Correct ${told.map(({ field }) => field).join(", ")} in ${origin}.`,
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
      const field = toPlaceName([...path, key]);
      return { field, constraint: "unknown", message: `${field} is no key of it, the keys are ${known}` };
    });
  }
  const field = toPlaceName(path);
  return [{ field, constraint: toConstraint(issue), message: `${field} ${issue.message}` }];
}

function toConstraint({ code, message }: z.core.$ZodIssue): string {
  if (message === required) return "required";
  return code === "invalid_type" ? "type" : code === "invalid_value" ? "enum" : code;
}

const required = "is required";

/** What a schema says of a value that is no such thing: "must be a text", or that there is none. */
export function wanted(what: string): { readonly error: (issue: { readonly input?: unknown }) => string } {
  return { error: ({ input }) => (input === undefined ? required : `must be ${what}`) };
}
