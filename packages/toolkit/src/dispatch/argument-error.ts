import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import { isQuotable, quoteName } from "@foundry-mcp/contract/input";
import type { UnknownMember } from "../schema/check-members.ts";
import { toFieldErrors } from "../schema/field-errors.ts";
import type { SchemaIssue } from "../schema/schema.ts";
import { byLikeness, mostNames, nearest, suggest } from "../text/did-you-mean.ts";
import type { NormalArguments } from "./normalize-arguments.ts";

/** What is wrong with arguments. */
interface ArgumentProblems extends NormalArguments {
  /** What the schema reports. */
  readonly issues: readonly SchemaIssue[] | undefined;
  readonly faults: readonly FieldError[];
  /** The path of the arguments where they are part of others: `operations[0]`. @default none */
  readonly path?: string;
}

/** Creates the failure of invalid arguments; `label` names what takes them. */
export function argumentError(
  label: string,
  { args, issues = [], faults, twice, unknown: names, path = "" }: ArgumentProblems,
): ContractError {
  const at = (field: string) => (path === "" ? field : `${path}.${field}`);
  const unknown = names.map((each) => ({ ...each, path: at(each.path) }));
  // A strict schema reports an unknown name as well.
  const isReported = new Set(unknown.map(({ path }) => path));
  const invalid = toFieldErrors(issues, args)
    .map((error) => ({ ...error, field: at(error.field) }))
    .filter(({ field, constraint }) => constraint !== "unknown" || !isReported.has(field));
  const duplicates = twice.map((field) => ({
    field: at(field),
    constraint: "duplicate",
    message: `${at(field)} is given twice, under two of its names with different values`,
  }));
  const known = [...invalid, ...faults, ...duplicates];
  const [first] = unknown;
  return validationError(
    [...known, ...unknown.map((each) => unknownParameter(label, each))],
    first === undefined ? {} : { remediation: toRemedy(first, known) },
  );
}

function unknownParameter(label: string, { path, name, names }: UnknownMember): FieldError {
  const guess = nearest(name, names);
  const called = isPrintable(path, name) ? `parameter "${path}"` : `parameter ${quoteName(name)}`;
  return {
    field: path,
    constraint: "unknown",
    message: `${label} takes no ${called}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    ...(names.length === 0 ? {} : { expected: byLikeness(name, names).slice(0, mostNames) }),
  };
}

/** The longest list of fields in a failure. */
const maxListed = 20;

/** Names unknown parameters first: a misspelt parameter is the likely cause of a missing one. */
function toRemedy({ path, name, names }: UnknownMember, known: readonly FieldError[]): string {
  const others = known.map(({ field }) => field);
  const listed = others.filter((field) => isPrintable(field)).slice(0, maxListed);
  const more = others.length > listed.length ? ` and ${others.length - listed.length} more` : "";
  const rest = others.length === 0 ? "" : ` Correct also: ${listed.join(", ")}${more}.`;
  const shown = isPrintable(path, name) ? path : "the unknown parameter";
  const isNested = path !== name;
  if (names.length === 0)
    return isNested
      ? `Leave out ${shown}.${rest}`
      : `Leave out ${shown}: no parameters are taken here.${rest}`;
  return `Leave out or rename ${shown}. ${suggest(name, names)}${rest}`;
}

/** True for a path that a sentence may repeat: callers choose the name at the end of an unknown one. */
export function isPrintable(path: string, name?: string): boolean {
  return (
    (name === undefined || isQuotable(name)) && /^[\p{L}\p{N}_][\p{L}\p{N} ._:@![\]-]{0,99}$/u.test(path)
  );
}
