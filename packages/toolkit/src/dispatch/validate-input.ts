import {
  type FieldError,
  isContractError,
  isTooDeep,
  maxDepth,
  tooDeep,
  type UnknownRecord,
  validationError,
} from "@foundry-mcp/contract";
import { type PageLimits, parseLimit } from "@foundry-mcp/contract/paging";
import { budgetParameter, type InputShape } from "../catalogue/input-shape.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toFieldErrors } from "../schema/field-errors.ts";
import { byLikeness, nearest, suggest } from "../text/did-you-mean.ts";

/** Arguments that are valid for the action. */
export interface ValidInput {
  /** The parsed arguments: the handler's input. */
  readonly value: unknown;
  /** The arguments as sent, under their current names, without null, page and budget: the query that a cursor belongs to. */
  readonly query: UnknownRecord;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The token budget that the call asks for; undefined where it names none. */
  readonly maxTokens: number | undefined;
}

/** Validates arguments against the action's input and reports all errors at once. */
export function validateInput(action: PreparedAction, args: UnknownRecord): ValidInput | Promise<ValidInput> {
  requireDepth(args);
  const faults: FieldError[] = [];
  const normalized = isNormal(action.input, args) ? args : normalizeNames(action, args, faults);
  const parts = splitCommon(action.definition.page, normalized, faults);
  const schema = action.input.schema;
  if (schema === undefined) return toValidInput({ value: parts.query }, parts, faults, action);
  const result = schema["~standard"].validate(parts.query);
  return result instanceof Promise
    ? result.then((checked) => toValidInput(checked, parts, faults, action))
    : toValidInput(result, parts, faults, action);
}

/** Refuses arguments that nest too deeply, before anything that recurses sees them: schemas, clones, JSON.stringify. */
function requireDepth(args: UnknownRecord): void {
  if (!isTooDeep(args)) return;
  const field = Object.keys(args).find((name) => isTooDeep(args[name], maxDepth - 1));
  throw tooDeep(field ?? "arguments");
}

/** Separates the query from the parameters of dispatch itself: page and budget. */
function splitCommon(
  page: PageLimits | undefined,
  normalized: UnknownRecord,
  faults: FieldError[],
): Omit<ValidInput, "value"> {
  if (page === undefined && normalized[budgetParameter] === undefined) {
    return { query: normalized, limit: 0, cursor: undefined, maxTokens: undefined };
  }
  const { [budgetParameter]: budget, ...rest } = normalized;
  const maxTokens = parseBudget(budget, faults);
  if (page === undefined) return { query: rest, limit: 0, cursor: undefined, maxTokens };
  const { limit, cursor, ...query } = rest;
  if (cursor !== undefined && typeof cursor !== "string") {
    faults.push({ field: "cursor", constraint: "type", expected: "a string", received: cursor });
  }
  return {
    query,
    limit: parsePageLimit(limit, page, faults),
    cursor: typeof cursor === "string" ? cursor : undefined,
    maxTokens,
  };
}

function parseBudget(value: unknown, faults: FieldError[]): number | undefined {
  if (value === undefined || (Number.isSafeInteger(value) && Number(value) >= 0)) return value as undefined;
  const isNumber = typeof value === "number";
  faults.push({
    field: budgetParameter,
    constraint: isNumber ? "minimum" : "type",
    expected: "a whole number of tokens, 0 for no limit",
    received: value,
  });
  return undefined;
}

type Checked = Awaited<ReturnType<NonNullable<InputShape["schema"]>["~standard"]["validate"]>>;

function toValidInput(
  result: Checked,
  parts: Omit<ValidInput, "value">,
  faults: readonly FieldError[],
  action: PreparedAction,
): ValidInput {
  if (result.issues === undefined && faults.length === 0) {
    const { query, limit, cursor, maxTokens } = parts;
    return { value: result.value, query, limit, cursor, maxTokens };
  }
  const errors = [...toFieldErrors(result.issues ?? [], parts.query), ...faults];
  const unknown = errors.find(({ constraint }) => constraint === "unknown");
  const advice = unknown === undefined ? {} : { remediation: toRemedy(action, errors, unknown) };
  throw validationError(errors, advice);
}

/** Names unknown parameters first: a misspelt parameter is the likely cause of a missing one. */
function toRemedy(action: PreparedAction, errors: readonly FieldError[], { field }: FieldError): string {
  const names = suggestibleNames(field, action.input);
  const others = errors.filter(({ constraint }) => constraint !== "unknown").map((each) => each.field);
  const listed = others.filter(isPrintable).slice(0, maxListed);
  const more = others.length > listed.length ? ` and ${others.length - listed.length} more` : "";
  const rest = others.length === 0 ? "" : ` Correct also: ${listed.join(", ")}${more}.`;
  const shown = isPrintable(field) ? field : "the unknown parameter";
  if (names.length === 0) return `${action.label} takes no parameters: leave out ${shown}.${rest}`;
  return `Leave out or rename ${shown}. ${suggest(field, names)}${rest}`;
}

/** The longest list of names in a remedy. */
const maxListed = 20;

/** True for a name that a sentence may repeat: callers choose the names of unknown parameters. */
function isPrintable(name: string): boolean {
  return name.length <= 100 && !/\p{Cc}/u.test(name);
}

/** True for arguments without aliases, nulls and unknown names, as most are. */
function isNormal({ parameters }: InputShape, args: UnknownRecord): boolean {
  for (const key of Object.keys(args)) {
    const value = args[key];
    if (value === null || value === undefined || !parameters.has(key)) return false;
  }
  return true;
}

/** Replaces aliases by current names, drops null, and reports every name that the action does not take. */
function normalizeNames(
  { input, definition, label }: PreparedAction,
  args: UnknownRecord,
  faults: FieldError[],
): UnknownRecord {
  const normalized: Record<string, unknown> = {};
  for (const key of Object.keys(args)) {
    const value = args[key];
    const name = currentName(input, definition.parameterAliases, key);
    const parameter = name === undefined ? undefined : input.parameters.get(name);
    if (name === undefined || parameter === undefined) {
      if (input.isOpen) define(normalized, key, value);
      else if (value !== null && value !== undefined && faults.length < maxUnknown)
        faults.push(unknownParameter(key, label, input));
      continue;
    }
    if (value === undefined || (value === null && !parameter.keepsNull)) continue;
    if (Object.hasOwn(normalized, name)) {
      faults.push({
        field: name,
        constraint: "duplicate",
        message: `${name} is given twice, under two of its names`,
      });
    }
    normalized[name] = value;
  }
  return normalized;
}

/** More unknown names are not reported: each is compared with every parameter. */
const maxUnknown = 50;

function currentName(
  { parameters }: InputShape,
  aliases: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  if (parameters.has(key)) return key;
  if (aliases !== undefined && Object.hasOwn(aliases, key)) return aliases[key];
  return undefined;
}

/** The names to suggest; the budget parameter, which every action takes, only where it seems to be meant. */
function suggestibleNames(key: string, { parameters }: InputShape): readonly string[] {
  const names = [...parameters.keys()];
  return nearest(key, names) === budgetParameter ? names : names.filter((name) => name !== budgetParameter);
}

function unknownParameter(key: string, label: string, input: InputShape): FieldError {
  const names = suggestibleNames(key, input);
  const guess = nearest(key, names);
  const quoted = JSON.stringify(key.slice(0, 60).toWellFormed());
  return {
    field: key,
    constraint: "unknown",
    message: `${label} takes no parameter ${quoted}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    ...(names.length === 0 ? {} : { expected: byLikeness(key, names).slice(0, 20) }),
  };
}

function parsePageLimit(value: unknown, page: PageLimits, faults: FieldError[]): number {
  try {
    return parseLimit(value, page);
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    faults.push(thrown.options.details as FieldError);
    return page.default;
  }
}

/** Sets a property, also one called `__proto__`. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
