import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import type { z } from "zod";
import { nearest } from "../text/did-you-mean.ts";
import type { flagKeys } from "./flag-schema.ts";
import { flagStates } from "./flags.ts";

/** How many problems a message lists; the rest is counted. */
const maxReported = 10;

/** The problems in zod issues, each with its path and, where one is near, the name that was probably meant. */
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
        return issue.keys.map((key) => toProblem([...path, key], "unknown", "is no key of it", key, known));
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

/** The problem of a name that is no flag. */
export function toUnknownFlag(path: readonly string[], name: string, names: readonly string[]): FieldError {
  return toProblem(path, "unknown", `names the flag ${quote(name)}, which is not defined`, name, names);
}

/** One error for all problems; `origin` names the source that was read. */
export function toFlagsError(origin: string, problems: readonly FieldError[]): ContractError {
  const listed = problems.slice(0, maxReported);
  const rest = problems.length > maxReported ? `; and ${problems.length - maxReported} more` : "";
  return validationError(listed, {
    message: `Cannot read ${origin}: ${listed.map(({ message }) => message).join("; ")}${rest}`,
    ...(listed[0]?.constraint === "circle" ? { errorCode: "CIRCULAR_DEPENDENCY" } : {}),
    remediation: `Correct ${listed.map(({ field }) => field).join(", ")} in ${origin}.`,
  });
}

/** Quotes text from outside for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).toWellFormed());
}

/** One problem: "flags.search.staet is no key of it: did you mean state?" */
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
