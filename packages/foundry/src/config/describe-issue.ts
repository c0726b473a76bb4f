import type { z } from "zod";

/** Describes in plain words what a setting must be; custom messages of a schema are kept. */
export function describeIssue(issue: z.core.$ZodIssue | undefined): string {
  if (issue === undefined) return "it is not valid";
  switch (issue.code) {
    case "invalid_value":
      return `it must be ${issue.values.length === 1 ? "" : "one of "}${issue.values.map(String).join(", ")}`;
    case "invalid_type":
      // A type with a message of its own is described by the schema.
      return /^Invalid input/.test(issue.message) ? `it must be ${nameOf(issue.expected)}` : issue.message;
    case "too_small":
      return issue.origin === "string" ? "it must not be empty" : `it must be at least ${issue.minimum}`;
    case "too_big":
      return `it must be at most ${issue.maximum}`;
    case "invalid_union":
      return "it is not a value of this setting";
    default:
      return issue.message;
  }
}

const names: Readonly<Record<string, string>> = {
  int: "a whole number",
  number: "a whole number",
  boolean: "true or false",
  string: "a text",
  array: "a list",
};

function nameOf(type: string): string {
  return names[type] ?? type;
}
