import type { UnknownRecord } from "@foundry-mcp/contract";
import { getOwn, isRecord, toList } from "../schemas/json-schema.ts";

/** One fault that a failure tells of. */
export interface ToldIssue {
  /** The arguments that it is about, or places in them. */
  readonly fields: readonly string[];
  /** The rule that does not hold, where it is told. */
  readonly rule: string | undefined;
  readonly message: string;
  /** True where it stands in a list that is for its kind of fault alone. */
  readonly isListed: boolean;
}

/** What a failure tells of its faults: one by one, its code, and its texts. */
export interface ToldIssues {
  readonly issues: readonly ToldIssue[];
  readonly code: string;
  readonly texts: readonly string[];
}

const longestText = 4000;
const mostIssues = 50;

/** Reads the faults of a failure as this contract, zod, ajv and pydantic tell them. */
export function issuesOf(
  failure: { readonly error: string; readonly data: UnknownRecord },
  lists: readonly string[],
): ToldIssues {
  const data: unknown = failure.data;
  const details = getOwn(data, "details");
  const texts = [failure.error, getOwn(data, "remediation")]
    .filter((text) => typeof text === "string")
    .map((text) => text.slice(0, longestText));
  const errors = ["errors", "issues"].flatMap((key) => toList(getOwn(details, key))).slice(0, mostIssues);
  const written = texts.flatMap(writtenIssues);
  // The first error also stands at the top of details; then it is told once.
  const parts = errors.length > 0 ? errors : [details, ...written];
  const listed = lists
    .flatMap((key) => toList(getOwn(details, key)))
    .filter((name) => typeof name === "string");
  const issues = parts
    .filter(isRecord)
    .map(toIssue)
    .filter(({ fields }) => fields.length > 0);
  const code = getOwn(data, "error_code");
  return {
    issues:
      listed.length === 0
        ? issues
        : [...issues, { fields: listed, rule: undefined, message: "", isListed: true }],
    code: typeof code === "string" ? code : "",
    texts,
  };
}

function toIssue(part: UnknownRecord): ToldIssue {
  const place = part["field"] ?? part["path"] ?? part["loc"] ?? part["parameter"] ?? part["argument"];
  const params = part["params"];
  const inner =
    getOwn(params, "missingProperty") ??
    getOwn(params, "additionalProperty") ??
    part["keys"] ??
    part["fields"];
  // Only beside `loc` is a type the type of the error; elsewhere it is that of the argument.
  const type = part["loc"] === undefined ? undefined : part["type"];
  const rule = part["constraint"] ?? part["code"] ?? part["keyword"] ?? type;
  const message = part["message"] ?? part["msg"];
  const own = inner === undefined ? [toPlace(place)] : [inner].flat();
  return {
    fields: own.filter((field): field is string => typeof field === "string" && field !== ""),
    rule: typeof rule === "string" ? rule : undefined,
    message: typeof message === "string" ? message.slice(0, longestText) : "",
    isListed: false,
  };
}

function toPlace(place: unknown): string | undefined {
  if (Array.isArray(place)) return place.slice(0, 20).map(String).join(".");
  return typeof place === "string" ? place : undefined;
}

/** The issues that a message holds as JSON, as zod writes them. */
function writtenIssues(text: string): readonly unknown[] {
  const start = text.search(/\[\s*\{/);
  const end = text.lastIndexOf("]");
  if (start < 0 || end < start) return [];
  try {
    return toList(JSON.parse(text.slice(start, end + 1))).slice(0, mostIssues);
  } catch {
    return [];
  }
}
