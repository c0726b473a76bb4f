import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { parseJsonText } from "@foundry-mcp/contract/input";
import { getOwn, toList } from "../schemas/json-schema.ts";

/** The parts of a failed call's answer that may name arguments. */
export interface Failure {
  readonly error: string;
  readonly data: UnknownRecord;
}

interface IssueKind {
  /** Matches the validation rules of one kind of issue, for example `required` or `unrecognized_keys`. */
  readonly rule: RegExp;
  /** Matches the words that report one kind of issue in an error message. */
  readonly prose: RegExp;
  /**
   * Matches the error codes of one kind of issue. Error codes are used only if the failure names no rule.
   */
  readonly code: RegExp;
  /** Keys of the error details under which a server lists the missing or unknown arguments. */
  readonly lists: readonly string[];
}

const missing: IssueKind = {
  rule: /^(?:required|missing|missing_argument|missing_required|is_required|field_required|value_error\.missing|required_field)$/i,
  prose:
    /\b(?:missing|required|requires|mandatory|undefined|needs|provide|supply|specify|must be (?:given|set|provided|supplied|specified|present)|not (?:given|set|provided|supplied|specified)|must (?:have|provide|specify|include|pass)|is empty|(?:cannot|must not|can't) be (?:null|empty|blank))\b/i,
  code: /MISSING/,
  lists: ["missing", "missing_fields", "missing_arguments", "missing_parameters", "required"],
};

const unknown: IssueKind = {
  rule: /^(?:unknown|unrecognized|unrecognized_keys|additional_?properties|unevaluated_?properties|extra_forbidden|unexpected|unexpected_keyword_argument|not_allowed|unsupported)$/i,
  prose:
    /\b(?:unknown|unrecogni[sz]ed|unexpected|unsupported|additional propert(?:y|ies)|extra (?:inputs?|fields?|arguments?|parameters?)|takes no|does not (?:take|accept|support|know)|not (?:allowed|permitted|accepted|supported|recogni[sz]ed)|no such (?:parameter|argument|field|option)|leave out)\b/i,
  code: /UNKNOWN_(?:PARAM|ARG|FIELD)|UNEXPECTED_(?:PARAM|ARG|FIELD)/,
  lists: ["unknown", "unknown_fields", "unknown_arguments", "unknown_parameters", "unexpected", "extra"],
};

/**
 * Returns the arguments that a failed call reports as missing. `known` lists the argument names to look for
 * in the error message.
 */
export function missingArguments(failure: Failure, known: readonly string[]): readonly string[] {
  return fieldsOf(failure, known, missing);
}

/** Returns the arguments that a failed call reports as unknown. */
export function unknownArguments(failure: Failure, known: readonly string[]): readonly string[] {
  return fieldsOf(failure, known, unknown);
}

function fieldsOf(failure: Failure, known: readonly string[], kind: IssueKind): readonly string[] {
  const { issues, code, texts } = issuesOf(failure, kind.lists);
  const matching = issues.filter((issue) => isOfKind(issue, kind, code));
  const names = matching.flatMap(({ fields }) => fields.map((field) => toName(field, known)));
  const found = names.filter((name) => name !== undefined);
  // If the error details name validation rules, the error message is not parsed, because prose can be
  // misread.
  if (found.length > 0 || issues.some(({ rule }) => rule !== undefined)) return [...new Set(found)];
  return [...new Set(texts.flatMap((text) => namesInProse(text, known, kind.prose)))];
}

function isOfKind({ rule, message, isListed }: FailureIssue, kind: IssueKind, code: string): boolean {
  if (isListed) return true;
  if (rule !== undefined && kind.rule.test(rule)) return true;
  // zod reports a missing argument as an argument of the wrong type.
  if (rule === "invalid_type") return kind === missing && /^required$|received undefined/i.test(message);
  return rule === undefined && (kind.code.test(code) || kind.prose.test(message));
}

/**
 * Returns the argument that a path names. Returns undefined for a path into an argument, because that
 * argument is present.
 */
function toName(field: string, known: readonly string[]): string | undefined {
  if (known.includes(field)) return field;
  const name = field.replace(/^(?:\$\.|#?\/|(?:arguments|args|params|body|input|query)[./])+/, "");
  if (known.includes(name)) return name;
  return /^[\p{L}_][\p{L}\p{N}_-]{0,99}$/u.test(name) ? name : undefined;
}

/** Returns the known argument names in those sentences of a text that match `prose`. */
function namesInProse(text: string, known: readonly string[], prose: RegExp): readonly string[] {
  // An indented line continues the line before it.
  const sentences = text.replaceAll(/\n[ \t]+/g, " ").split(/[.;!?](?=\s|$)|\n/);
  const matching = sentences.filter((sentence) => prose.test(sentence));
  const found = matching.flatMap((sentence) => known.filter((name) => isNamed(sentence, name)));
  // A quoted word is certainly an argument name. An unquoted word may be an ordinary word.
  const quoted = found.filter((name) => matching.some((sentence) => isQuoted(sentence, name)));
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

/** An issue that a failed call reports, for example a missing argument. */
interface FailureIssue {
  /** The names of the arguments that the issue concerns, or paths into these arguments. */
  readonly fields: readonly string[];
  /** The broken validation rule, if the failure names the rule. */
  readonly rule: string | undefined;
  readonly message: string;
  /** True if the issue comes from a list in the error details, such as `missing_fields`. */
  readonly isListed: boolean;
}

interface FailureIssues {
  readonly issues: readonly FailureIssue[];
  readonly code: string;
  readonly texts: readonly string[];
}

const maxTextLength = 4000;
const maxIssues = 50;

/** Reads the issues of a failed call in the formats of the foundry-mcp contract, zod, ajv and pydantic. */
function issuesOf(failure: Failure, lists: readonly string[]): FailureIssues {
  const data: unknown = failure.data;
  const details = getOwn(data, "details");
  const texts = [failure.error, getOwn(data, "remediation")]
    .filter((text) => typeof text === "string")
    .map((text) => text.slice(0, maxTextLength));
  const errors = ["errors", "issues"].flatMap((key) => toList(getOwn(details, key))).slice(0, maxIssues);
  const embedded = texts.flatMap(issuesInText);
  // The top level of the error details repeats the first entry of `errors`, so only the list `errors` is read.
  const parts = errors.length > 0 ? errors : [details, ...embedded];
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

function toIssue(part: UnknownRecord): FailureIssue {
  const path = part["field"] ?? part["path"] ?? part["loc"] ?? part["parameter"] ?? part["argument"];
  const params = part["params"];
  const inner =
    getOwn(params, "missingProperty") ??
    getOwn(params, "additionalProperty") ??
    part["keys"] ??
    part["fields"];
  // If an issue has `loc`, its `type` is the type of the error. Without `loc`, `type` is the type of the
  // argument.
  const type = part["loc"] === undefined ? undefined : part["type"];
  const rule = part["constraint"] ?? part["code"] ?? part["keyword"] ?? type;
  const message = part["message"] ?? part["msg"];
  const own = inner === undefined ? [toFieldName(path)] : [inner].flat();
  return {
    fields: own.filter((field): field is string => typeof field === "string" && field !== ""),
    rule: typeof rule === "string" ? rule : undefined,
    message: typeof message === "string" ? message.slice(0, maxTextLength) : "",
    isListed: false,
  };
}

function toFieldName(path: unknown): string | undefined {
  if (Array.isArray(path)) return path.slice(0, 20).map(String).join(".");
  return typeof path === "string" ? path : undefined;
}

/**
 * Returns the issues that an error message contains as a JSON list. Messages of zod contain such a list.
 */
function issuesInText(text: string): readonly unknown[] {
  const start = text.search(/\[\s*\{/);
  const end = text.lastIndexOf("]");
  if (start < 0 || end < start) return [];
  try {
    return toList(parseJsonText(text.slice(start, end + 1))).slice(0, maxIssues);
  } catch {
    return [];
  }
}
