import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import type { z } from "zod";
import { nearest } from "../text/did-you-mean.ts";
import type { flagKeys } from "./flag-schema.ts";
import { flagStates } from "./flags.ts";

/** As many problems as a message tells; the rest is counted. */
const maxReported = 10;

/** What schemas found wrong, each with its place and, where one is near, the name that was meant. */
export function fromIssues(
  issues: readonly z.core.$ZodIssue[],
  value: unknown,
  keys: (typeof flagKeys)["file" | "code"],
): readonly FieldError[] {
  return issues.flatMap((issue) => {
    const place = issue.path.map(String);
    switch (issue.code) {
      case "unrecognized_keys": {
        const known = place.length === 0 ? keys.around : keys.flag;
        return issue.keys.map((key) => toProblem([...place, key], "unknown", "is no key of it", key, known));
      }
      case "invalid_key":
        return [toProblem(place, "pattern", "must be a name of up to 100 letters, digits, _, . and -")];
      case "invalid_value":
        return [toProblem(place, "enum", issue.message, valueAt(value, issue.path), flagStates)];
      case "invalid_type": {
        const isCustom = issue.message.startsWith("must ");
        return [toProblem(place, "type", isCustom ? issue.message : `must be ${wish(issue.expected)}`)];
      }
      default:
        return [toProblem(place, issue.code, issue.message)];
    }
  });
}

/** A name of a flag that is not defined. */
export function toUnknownFlag(place: readonly string[], name: string, names: readonly string[]): FieldError {
  return toProblem(place, "unknown", `names the flag ${quote(name)}, which is not defined`, name, names);
}

/** All problems as one failure; `origin` says what was read. */
export function toFlagsError(origin: string, problems: readonly FieldError[]): ContractError {
  const told = problems.slice(0, maxReported);
  const rest = problems.length > maxReported ? `; and ${problems.length - maxReported} more` : "";
  return validationError(told, {
    message: `Cannot read ${origin}: ${told.map(({ message }) => message).join("; ")}${rest}`,
    ...(told[0]?.constraint === "circle" ? { errorCode: "CIRCULAR_DEPENDENCY" } : {}),
    remediation: `Correct ${told.map(({ field }) => field).join(", ")} in ${origin}.`,
  });
}

/** Text from outside, fit for a message. */
export function quote(text: string): string {
  return JSON.stringify(text.slice(0, 100).toWellFormed());
}

/** One problem: "flags.search.staet is no key of it: did you mean state?" */
export function toProblem(
  place: readonly string[],
  constraint: string,
  what: string,
  written?: unknown,
  known: readonly string[] = [],
): FieldError {
  const field = place.length === 0 ? "the whole" : place.join(".").slice(0, 200);
  const guess = typeof written === "string" ? nearest(written.slice(0, 100), known) : undefined;
  const message = `${field} ${what}${guess === undefined ? "" : `: did you mean ${guess}?`}`;
  return { field, constraint, message };
}

function wish(expected: string): string {
  return expected === "object" || expected === "record" ? "an object" : `of type ${expected}`;
}

function valueAt(value: unknown, path: readonly PropertyKey[]): unknown {
  return path.reduce<unknown>((at, key) => (at as Record<PropertyKey, unknown> | undefined)?.[key], value);
}
