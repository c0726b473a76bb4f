import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import type { z } from "zod";
import { nearest } from "../text/did-you-mean.ts";
import type { flagKeys } from "./flag-schema.ts";
import { flagStates } from "./flags.ts";

/**
 * The maximum number of problems listed in a message; the number of further problems is stated without
 * listing them.
 */
const maxReported = 10;

/**
 * Converts zod issues to field errors. A field error has a path and, if a known name is similar, a
 * suggestion of that name.
 */
export function fromIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  keys: (typeof flagKeys)["file" | "code"],
): readonly FieldError[] {
  return issues.flatMap((issue) => {
    const path = issue.path.map(String);
    switch (issue.code) {
      case "unrecognized_keys": {
        const known = path.length === 0 ? keys.root : keys.flag;
        return issue.keys.map((key) => toProblem([...path, key], "unknown", "is an unknown key", key, known));
      }
      case "invalid_key":
        return [toProblem(path, "pattern", "must be a name of up to 100 letters, digits, _, . and -")];
      case "invalid_value":
        return [toProblem(path, "enum", issue.message, valueAt(value, issue.path), flagStates)];
      case "invalid_type": {
        const isCustom = issue.message.startsWith("must ");
        return [
          toProblem(path, "type", isCustom ? issue.message : `must be ${describeType(issue.expected)}`),
        ];
      }
      default:
        return [toProblem(path, issue.code, issue.message)];
    }
  });
}

/** Creates the field error for a reference to an undefined flag. */
export function toUnknownFlag(path: readonly string[], name: string, names: readonly string[]): FieldError {
  return toProblem(path, "unknown", `names the flag ${quote(name)}, which is not defined`, name, names);
}

/** Creates one error for all problems of a flag source. `origin` names the flag source. */
export function toFlagsError(origin: string, problems: readonly FieldError[]): ContractError {
  const listed = problems.slice(0, maxReported);
  const rest = problems.length > maxReported ? `; and ${problems.length - maxReported} more` : "";
  return validationError(listed, {
    message: `Cannot read ${origin}: ${listed.map(({ message }) => message).join("; ")}${rest}`,
    ...(listed[0]?.constraint === "cycle" ? { errorCode: "CIRCULAR_DEPENDENCY" } : {}),
    remediation: `Correct ${listed.map(({ field }) => field).join(", ")} in ${origin}.`,
  });
}

/** Quotes untrusted text for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).toWellFormed());
}

/** Creates a field error with a message such as "flags.search.staet is an unknown key: did you mean state?" */
export function toProblem(
  path: readonly string[],
  constraint: string,
  what: string,
  written?: unknown,
  known: readonly string[] = [],
): FieldError {
  const field = path.length === 0 ? "the whole" : path.join(".").slice(0, 200);
  const guess = typeof written === "string" ? nearest(written.slice(0, 100), known) : undefined;
  const message = `${field} ${what}${guess === undefined ? "" : `: did you mean ${guess}?`}`;
  return { field, constraint, message };
}

function describeType(expected: string): string {
  return expected === "object" || expected === "record" ? "an object" : `of type ${expected}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
