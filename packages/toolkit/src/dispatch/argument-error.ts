import { type ContractError, type FieldError, validationError } from "@foundry-mcp/contract";
import { isQuotable, quoteName } from "@foundry-mcp/contract/input";
import type { InputShape } from "../catalogue/input-shape.ts";
import type { UnknownMember } from "../schema/check-members.ts";
import { isConfirmation, toConfirmationRemedy } from "../schema/confirmation.ts";
import { toFieldErrors } from "../schema/field-errors.ts";
import type { SchemaIssue } from "../schema/schema.ts";
import { byLikeness, maxNames, nearest, suggest } from "../text/did-you-mean.ts";
import type { NormalArguments } from "./normalize-arguments.ts";

/** The problems that validation found in arguments. */
interface ArgumentProblems extends NormalArguments {
  /** The issues that the schema reports. */
  readonly issues: readonly SchemaIssue[] | undefined;
  readonly faults: readonly FieldError[];
  /** The parameters of the action or operation. */
  readonly parameters: InputShape["parameters"];
  /** The path of the arguments if they are nested in other arguments, such as `operations[0]`. @default none */
  readonly path?: string;
}

/** Creates the failure of invalid arguments; `label` names the action or operation that takes them. */
export function argumentError(
  label: string,
  { args, issues = [], faults, twice, unknown: names, path = "", parameters }: ArgumentProblems,
): ContractError {
  const at = (field: string) => (path === "" ? field : `${path}.${field}`);
  const unknown = names.map((each) => ({ ...each, path: at(each.path) }));
  // A strict schema also reports unknown names.
  const isReported = new Set(unknown.map(({ path }) => path));
  const invalid = toFieldErrors(issues, args)
    .map((error) => withConfirmation(error, parameters))
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

/** Adds the effect of the call to the error of a missing confirmation. */
function withConfirmation(error: FieldError, parameters: InputShape["parameters"]): FieldError {
  const json = parameters.get(error.field)?.json;
  if (json === undefined || !isConfirmation(json)) return error;
  return { ...error, remediation: toConfirmationRemedy(error.field, json, parameters.has("dry_run")) };
}

function unknownParameter(label: string, { path, name, names }: UnknownMember): FieldError {
  const guess = nearest(name, names);
  const called = isPrintable(path, name) ? `parameter "${path}"` : `parameter ${quoteName(name)}`;
  return {
    field: path,
    constraint: "unknown",
    message: `${label} takes no ${called}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    ...(names.length === 0 ? {} : { expected: byLikeness(name, names).slice(0, maxNames) }),
  };
}

/** The maximum number of fields listed in a failure. */
const maxListed = 20;

/**
 * Creates a remediation that begins with the unknown parameter: if a parameter is missing, its name was probably
 * misspelt.
 */
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

/**
 * True for a path that may be quoted in a message; `name` is the last name of an unknown path, which the caller
 * chose.
 */
export function isPrintable(path: string, name?: string): boolean {
  return (
    (name === undefined || isQuotable(name)) && /^[\p{L}\p{N}_][\p{L}\p{N} ._:@![\]-]{0,99}$/u.test(path)
  );
}
