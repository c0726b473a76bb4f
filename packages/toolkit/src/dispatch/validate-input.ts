import { type FieldError, isContractError, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { type PageLimits, parseLimit } from "@foundry-mcp/contract/paging";
import { budgetParameter, type InputShape } from "../catalogue/input-shape.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toFieldErrors } from "../schema/field-errors.ts";
import { byLikeness, nearest, suggest } from "./nearest.ts";

/** Arguments that hold what the action wants. */
export interface ValidInput {
  /** What the schema made of them: the handler's input. */
  readonly value: unknown;
  /** As they were sent, under their present names, without null and without the page: the query that a cursor belongs to. */
  readonly query: UnknownRecord;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The token budget that the call asks for; undefined where it names none. */
  readonly maxTokens: number | undefined;
}

/** Holds arguments against the action's input and tells every fault at once. */
export function validateInput(action: PreparedAction, args: UnknownRecord): ValidInput | Promise<ValidInput> {
  const faults: FieldError[] = [];
  const settled = isSettled(action.input, args) ? args : settleNames(action, args, faults);
  const asked = splitOwn(action.definition.page, settled, faults);
  const schema = action.input.schema;
  if (schema === undefined) return settle({ value: asked.query }, asked, faults, action);
  const result = schema["~standard"].validate(asked.query);
  return result instanceof Promise
    ? result.then((checked) => settle(checked, asked, faults, action))
    : settle(result, asked, faults, action);
}

/** The query, apart from what the path itself takes: the page and the budget. */
function splitOwn(
  page: PageLimits | undefined,
  settled: UnknownRecord,
  faults: FieldError[],
): Omit<ValidInput, "value"> {
  if (page === undefined && settled[budgetParameter] === undefined) {
    return { query: settled, limit: 0, cursor: undefined, maxTokens: undefined };
  }
  const { [budgetParameter]: budget, ...rest } = settled;
  const maxTokens = readBudget(budget, faults);
  if (page === undefined) return { query: rest, limit: 0, cursor: undefined, maxTokens };
  const { limit, cursor, ...query } = rest;
  if (cursor !== undefined && typeof cursor !== "string") {
    faults.push({ field: "cursor", constraint: "type", expected: "a string", received: cursor });
  }
  return {
    query,
    limit: readLimit(limit, page, faults),
    cursor: typeof cursor === "string" ? cursor : undefined,
    maxTokens,
  };
}

function readBudget(value: unknown, faults: FieldError[]): number | undefined {
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

function settle(
  result: Checked,
  asked: Omit<ValidInput, "value">,
  faults: readonly FieldError[],
  action: PreparedAction,
): ValidInput {
  if (result.issues === undefined && faults.length === 0) {
    const { query, limit, cursor, maxTokens } = asked;
    return { value: result.value, query, limit, cursor, maxTokens };
  }
  const errors = [...toFieldErrors(result.issues ?? [], asked.query), ...faults];
  const unknown = errors.find(({ constraint }) => constraint === "unknown");
  const advice = unknown === undefined ? {} : { remediation: toRemedy(action, errors, unknown) };
  throw validationError(errors, advice);
}

/** Unknown names first: a misspelt parameter is the likely cause of a missing one. */
function toRemedy(action: PreparedAction, errors: readonly FieldError[], unknown: FieldError): string {
  const names = namesLike(unknown.field, action.input);
  const others = errors.filter(({ constraint }) => constraint !== "unknown").map(({ field }) => field);
  const rest = others.length === 0 ? "" : ` Correct also: ${others.join(", ")}.`;
  if (names.length === 0) return `${action.label} takes no parameters: leave out ${unknown.field}.${rest}`;
  return `Leave out or rename ${unknown.field}. ${suggest(unknown.field, names)}${rest}`;
}

/** True for arguments that need no settling, as most do. */
function isSettled({ parameters }: InputShape, args: UnknownRecord): boolean {
  for (const key of Object.keys(args)) {
    const value = args[key];
    if (value === null || value === undefined || !parameters.has(key)) return false;
  }
  return true;
}

/** Present names for old ones, null as absent, and a fault for every name that the action does not take. */
function settleNames(
  { input, definition, label }: PreparedAction,
  args: UnknownRecord,
  faults: FieldError[],
): UnknownRecord {
  const settled: Record<string, unknown> = {};
  for (const key of Object.keys(args)) {
    const value = args[key];
    const name = presentName(input, definition.parameterAliases, key);
    const parameter = name === undefined ? undefined : input.parameters.get(name);
    if (name === undefined || parameter === undefined) {
      if (input.isOpen) define(settled, key, value);
      else if (value !== null && value !== undefined) faults.push(unknownParameter(key, label, input));
      continue;
    }
    if (value === undefined || (value === null && !parameter.keepsNull)) continue;
    if (Object.hasOwn(settled, name)) {
      faults.push({
        field: name,
        constraint: "duplicate",
        message: `${name} is given twice, under two of its names`,
      });
    }
    settled[name] = value;
  }
  return settled;
}

function presentName(
  { parameters }: InputShape,
  aliases: Readonly<Record<string, string>> | undefined,
  key: string,
): string | undefined {
  if (parameters.has(key)) return key;
  if (aliases !== undefined && Object.hasOwn(aliases, key)) return aliases[key];
  return undefined;
}

/** The names to choose from; what every action takes is named only where it seems to be meant. */
function namesLike(key: string, { parameters }: InputShape): readonly string[] {
  const names = [...parameters.keys()];
  return nearest(key, names) === budgetParameter ? names : names.filter((name) => name !== budgetParameter);
}

function unknownParameter(key: string, label: string, input: InputShape): FieldError {
  const names = namesLike(key, input);
  const guess = nearest(key, names);
  const quoted = JSON.stringify(key.slice(0, 60).toWellFormed());
  return {
    field: key,
    constraint: "unknown",
    message: `${label} takes no parameter ${quoted}${guess === undefined ? "" : `; did you mean ${guess}?`}`,
    ...(names.length === 0 ? {} : { expected: byLikeness(key, names).slice(0, 20) }),
  };
}

function readLimit(value: unknown, page: PageLimits, faults: FieldError[]): number {
  try {
    return parseLimit(value, page);
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    faults.push(thrown.options.details as FieldError);
    return page.default;
  }
}

/** Also a parameter called `__proto__` is data. */
function define(target: Record<string, unknown>, key: string, value: unknown): void {
  Object.defineProperty(target, key, { value, enumerable: true, configurable: true, writable: true });
}
