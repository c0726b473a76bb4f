import type { UnknownRecord } from "@foundry-mcp/contract";
import { issuesOf, type ToldIssue } from "./told-issues.ts";

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
