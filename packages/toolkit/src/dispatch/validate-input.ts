import {
  type ContractError,
  type FieldError,
  isContractError,
  type UnknownRecord,
  type WarningDetail,
} from "@foundry-mcp/contract";
import { isTooDeep, maxDepth, tooDeep } from "@foundry-mcp/contract/input";
import { type PageLimits, parseLimit } from "@foundry-mcp/contract/paging";
import { budgetParameter, type InputShape } from "../catalogue/input-shape.ts";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toFieldName } from "../schema/field-errors.ts";
import { argumentError } from "./argument-error.ts";
import { findNonFinite } from "./find-non-finite.ts";
import { readLeniently } from "./lenient-arguments.ts";
import { type NormalArguments, normalizeArguments } from "./normalize-arguments.ts";
import { toReadingWarning } from "./reading-warning.ts";

/** Arguments that are valid for the action. */
export interface ValidInput {
  /** The parsed arguments: the handler's input. */
  readonly value: unknown;
  /** The arguments under their current names, without nulls, page and budget: the query that a cursor belongs to. */
  readonly query: UnknownRecord;
  readonly limit: number;
  readonly cursor: string | undefined;
  /** The token budget set by the call; undefined if the call sets none. */
  readonly maxTokens: number | undefined;
  /** The warning that names corrected arguments; absent if no argument was corrected. */
  readonly warning?: WarningDetail | undefined;
}

/**
 * Validates arguments against the action's input and reports all errors at once. Only arguments that fail
 * validation are corrected, so the arguments of a valid call are never changed, and a valid call takes no
 * extra time.
 */
export function validateInput(action: PreparedAction, args: UnknownRecord): ValidInput | Promise<ValidInput> {
  requireDepth(args);
  const strict = attempt(action, args);
  if (typeof strict === "object" && !(strict instanceof Promise)) return strict;
  return settle(strict, (fail) => {
    const lenient = readLeniently(action.input, args, action.definition.parameterAliases);
    if (lenient === undefined) throw fail();
    requireDepth(lenient.args);
    const valid = settle(attempt(action, lenient.args, lenient.twice), (failAgain) => {
      throw failAgain();
    });
    const warning = toReadingWarning(lenient.readings);
    return valid instanceof Promise ? valid.then((input) => ({ ...input, warning })) : { ...valid, warning };
  });
}

/** The outcome of one validation: the input, or a function that creates the failure. */
type Attempt = ValidInput | (() => ContractError);

/** Returns the input of a successful attempt; after a failed attempt, returns the result of `otherwise`. */
function settle(
  tried: Attempt | Promise<Attempt>,
  otherwise: (fail: () => ContractError) => ValidInput | Promise<ValidInput>,
): ValidInput | Promise<ValidInput> {
  const take = (result: Attempt) => (typeof result === "function" ? otherwise(result) : result);
  return tried instanceof Promise ? tried.then(take) : take(tried);
}

function attempt(
  { label, input, definition }: PreparedAction,
  args: UnknownRecord,
  twice: readonly string[] = none,
): Attempt | Promise<Attempt> {
  const normal = normalizeArguments(input, args, definition.parameterAliases);
  const faults: FieldError[] = [];
  const parts = splitCommon(definition.page, normal.args, input.own, faults);
  const { parameters } = input;
  const nonFinite = findNonFinite(parts.query);
  const finish = (result: Checked): Attempt => {
    // A schema that expects a number refuses such a number itself, with a more precise error.
    if (result.issues === undefined && nonFinite !== undefined) faults.push(notFinite(nonFinite));
    if (result.issues === undefined && faults.length === 0 && twice.length === 0 && isClean(normal)) {
      const { query, limit, cursor, maxTokens } = parts;
      return { value: result.value, query, limit, cursor, maxTokens };
    }
    const { issues } = result;
    const problems = {
      ...normal,
      twice: [...normal.twice, ...twice],
      issues,
      args: parts.query,
      faults,
      parameters,
    };
    return () => argumentError(label, problems);
  };
  if (input.schema === undefined) return finish({ value: parts.query });
  const result = input.schema["~standard"].validate(parts.query);
  return result instanceof Promise ? result.then(finish) : finish(result);
}

function notFinite(keys: readonly (string | number)[]): FieldError {
  return { field: toFieldName(keys), constraint: "finite", expected: "a number that JSON can represent" };
}

const none: readonly never[] = [];

function isClean({ twice, unknown }: NormalArguments): boolean {
  return twice.length === 0 && unknown.length === 0;
}

type Checked = Awaited<ReturnType<NonNullable<InputShape["schema"]>["~standard"]["validate"]>>;

/**
 * Refuses arguments that nest too deeply, before recursive code such as schemas, clones or JSON.stringify sees
 * them.
 */
function requireDepth(args: UnknownRecord): void {
  if (!isTooDeep(args)) return;
  const field = Object.keys(args).find((name) => isTooDeep(args[name], maxDepth - 1));
  throw tooDeep(field ?? "arguments");
}

/** Separates the query from the parameters that dispatch itself uses: page and budget. */
function splitCommon(
  page: PageLimits | undefined,
  normalized: UnknownRecord,
  own: InputShape["own"],
  faults: FieldError[],
): Omit<ValidInput, "value" | "warning"> {
  if (page === undefined && normalized[budgetParameter] === undefined) {
    return { query: normalized, limit: 0, cursor: undefined, maxTokens: undefined };
  }
  const [common, kept] = divide(normalized, own);
  const { [budgetParameter]: budget, ...rest } = common;
  const maxTokens = parseBudget(budget, faults);
  if (page === undefined) return { query: { ...rest, ...kept }, limit: 0, cursor: undefined, maxTokens };
  const { limit, cursor, ...others } = rest;
  const query = own.size === 0 ? others : { ...others, ...kept };
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

/** Divides the arguments of another server's action into common parameters and parameters of that server. */
function divide(
  normalized: UnknownRecord,
  own: InputShape["own"],
): readonly [common: UnknownRecord, kept: UnknownRecord] {
  if (own.size === 0) return [normalized, {}];
  const entries = Object.entries(normalized);
  return [
    Object.fromEntries(entries.filter(([name]) => !own.has(name))),
    Object.fromEntries(entries.filter(([name]) => own.has(name))),
  ];
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

function parsePageLimit(value: unknown, page: PageLimits, faults: FieldError[]): number {
  try {
    return parseLimit(value, page);
  } catch (thrown) {
    if (!isContractError(thrown)) throw thrown;
    faults.push(thrown.options.details as FieldError);
    return page.default;
  }
}
