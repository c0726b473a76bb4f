import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { getOwn, toList } from "../schemas/json-schema.ts";

/** A failure as far as it matters here. */
export interface ToldFailure {
  readonly error: string;
  readonly data: UnknownRecord;
}

interface Fault {
  /** Words of a rule that stand for it: `required`, `unrecognized_keys`. */
  readonly rule: RegExp;
  /** Words of a sentence that stand for it. */
  readonly prose: RegExp;
  /** Codes that stand for it where no rule is told. */
  readonly code: RegExp;
  /** Keys of details that list the names. */
  readonly lists: readonly string[];
}

const missing: Fault = {
  rule: /^(?:required|missing|missing_argument|missing_required|is_required|field_required|value_error\.missing|required_field)$/i,
  prose:
    /\b(?:missing|required|requires|mandatory|undefined|needs|provide|supply|specify|must be (?:given|set|provided|supplied|specified|present)|not (?:given|set|provided|supplied|specified)|must (?:have|provide|specify|include|pass)|is empty|(?:cannot|must not|can't) be (?:null|empty|blank))\b/i,
  code: /MISSING/,
  lists: ["missing", "missing_fields", "missing_arguments", "missing_parameters", "required"],
};

const unknown: Fault = {
  rule: /^(?:unknown|unrecognized|unrecognized_keys|additional_?properties|unevaluated_?properties|extra_forbidden|unexpected|unexpected_keyword_argument|not_allowed|unsupported)$/i,
  prose:
    /\b(?:unknown|unrecogni[sz]ed|unexpected|unsupported|additional propert(?:y|ies)|extra (?:inputs?|fields?|arguments?|parameters?)|takes no|does not (?:take|accept|support|know)|not (?:allowed|permitted|accepted|supported|recogni[sz]ed)|no such (?:parameter|argument|field|option)|leave out)\b/i,
  code: /UNKNOWN_(?:PARAM|ARG|FIELD)|UNEXPECTED_(?:PARAM|ARG|FIELD)/,
  lists: ["unknown", "unknown_fields", "unknown_arguments", "unknown_parameters", "unexpected", "extra"],
};

/** The arguments that a failure says are missing; `known` are the names to look for where it tells them in prose only. */
export function missingFields(failure: ToldFailure, known: readonly string[]): readonly string[] {
  return fieldsOf(failure, known, missing);
}

/** The arguments that a failure says the tool does not take. */
export function unknownFields(failure: ToldFailure, known: readonly string[]): readonly string[] {
  return fieldsOf(failure, known, unknown);
}

function fieldsOf(failure: ToldFailure, known: readonly string[], fault: Fault): readonly string[] {
  const { issues, code, texts } = issuesOf(failure, fault.lists);
  const told = issues.filter((issue) => isOf(issue, fault, code));
  const names = told.flatMap(({ fields }) => fields.map((field) => toName(field, known)));
  const found = names.filter((name) => name !== undefined);
  // Where the details tell every fault by its rule, prose can only be misread.
  if (found.length > 0 || issues.some(({ rule }) => rule !== undefined)) return [...new Set(found)];
  return [...new Set(texts.flatMap((text) => namedIn(text, known, fault.prose)))];
}

function isOf({ rule, message, isListed }: ToldIssue, fault: Fault, code: string): boolean {
  if (isListed) return true;
  if (rule !== undefined && fault.rule.test(rule)) return true;
  // zod calls an argument that is missing one of the wrong type.
  if (rule === "invalid_type") return fault === missing && /^required$|received undefined/i.test(message);
  return rule === undefined && (fault.code.test(code) || fault.prose.test(message));
}

/** The argument that a place is about. A place within an argument is none: the argument itself is there. */
function toName(field: string, known: readonly string[]): string | undefined {
  if (known.includes(field)) return field;
  const name = field.replace(/^(?:\$\.|#?\/|(?:arguments|args|params|body|input|query)[./])+/, "");
  if (known.includes(name)) return name;
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name) ? name : undefined;
}

/** The known names in those sentences of a text that speak of the fault. */
function namedIn(text: string, known: readonly string[], prose: RegExp): readonly string[] {
  // A line that is indented goes on with the one before it.
  const sentences = text.replaceAll(/\n[ \t]+/g, " ").split(/[.;!?](?=\s|$)|\n/);
  const telling = sentences.filter((sentence) => prose.test(sentence));
  const found = telling.flatMap((sentence) => known.filter((name) => isNamed(sentence, name)));
  // A quoted name is surely one; a bare word may be just a word.
  const quoted = found.filter((name) => telling.some((sentence) => isQuoted(sentence, name)));
  return quoted.length > 0 ? quoted : found;
}

function isNamed(sentence: string, name: string): boolean {
  for (let at = sentence.indexOf(name); at >= 0; at = sentence.indexOf(name, at + 1)) {
    const around = [sentence.charAt(at - 1), sentence.charAt(at + name.length)];
    if (!around.some((letter) => /[\p{L}\p{N}_-]/u.test(letter))) return name !== "";
    if (name === "") return false;
  }
  return false;
}

function isQuoted(sentence: string, name: string): boolean {
  return ['"', "'", "`"].some((mark) => sentence.includes(`${mark}${name}${mark}`));
}

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
