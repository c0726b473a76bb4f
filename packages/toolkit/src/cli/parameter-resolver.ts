import { isContractError, type UnknownRecord } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { listNearest } from "../text/did-you-mean.ts";
import type { CliOption } from "./cli-option.ts";
import type { CliCommand } from "./command-tree.ts";
import { withCommand } from "./suggested-command.ts";
import { usageError } from "./usage-error.ts";
import { isList, isText } from "./value-form.ts";

/**
 * Looks up the values of a parameter, such as ids, so that users can shorten them, leave them out and complete them.
 */
export interface ParameterResolver {
  /**
   * Lists the values that begin with a text; `args` are the values of the preceding parameters, and `action` is the tool
   * and its action, such as `spec undo`.
   */
  readonly find: (prefix: string, args: UnknownRecord, action?: string) => Promise<readonly string[]>;
  /**
   * Returns true for a text that has the form of a complete value; a complete value is never treated as a
   * prefix.
   * @default none
   */
  readonly isWhole?: ((text: string) => boolean) | undefined;
  /**
   * Returns the value that a text names in another way, such as by a title. Such a text is never a value, but the error
   * of a destructive command suggests the command with the value.
   * @default none
   */
  readonly findNamed?: ((text: string, args: UnknownRecord) => Promise<string | undefined>) | undefined;
  /**
   * Returns the value to use if the parameter is left out; returns undefined or throws a ContractError if there is
   * no such value.
   * @default none
   */
  readonly fallback?: ((use: FallbackUse) => Promise<FallbackValue | undefined>) | undefined;
}

/** The command that uses a parameter whose value was left out. */
export interface FallbackUse {
  /** True if the action requires the parameter. */
  readonly isRequired: boolean;
  /** The tool and its action, such as `spec undo`. */
  readonly action?: string | undefined;
}

/** The value that is used for a parameter that was left out. */
export interface FallbackValue {
  readonly value: string;
  /** The reason for using this value, such as `the only active spec`. */
  readonly reason: string;
}

/**
 * The resolvers of a program by parameter, in the order in which they are called; each resolver receives the values
 * of the previous parameters.
 */
export type ParameterResolvers = Readonly<Record<string, ParameterResolver>>;

/**
 * Returns the resolvers that a command uses. A destructive command uses none, because the ids of the objects to
 * delete must be written in full.
 */
export function resolversFor({ action }: CliCommand, resolvers: ParameterResolvers): ParameterResolvers {
  return action.definition.destructive === true ? {} : resolvers;
}

/** Returns the value that begins with a text; the text itself if no value begins with it. */
export async function resolveValue(
  name: string,
  text: string,
  { find, isWhole }: ParameterResolver,
  args: UnknownRecord,
  action?: string,
): Promise<string> {
  if (text === "" || isWhole?.(text)) return text;
  const found = await find(text, args, action);
  const [only, second] = found;
  if (only === undefined || found.includes(text)) return text;
  if (second === undefined) return only;
  const nearest = byLength(found);
  throw usageError(
    { field: name, constraint: "ambiguous", expected: nearest.slice(0, maxListed), received: text },
    `Cannot tell which ${name} ${quoteName(text)} means: ${found.length} begin with it`,
    `Write more of it, or one of: ${listNearest(text, nearest)}.`,
  );
}

/**
 * Throws for a shortened value in a destructive command, because the ids of the objects to delete must be written
 * in full. `toWords` returns the words of the command with the whole value.
 */
export async function refuseShortened(
  typed: ReadonlyMap<string, unknown>,
  resolvers: ParameterResolvers,
  toWords: (text: string, whole: string) => readonly string[],
): Promise<void> {
  for (const [name, { find, isWhole }] of Object.entries(resolvers)) {
    const text = typed.get(name);
    if (typeof text !== "string" || text === "" || isWhole?.(text)) continue;
    const found = await find(text, Object.fromEntries(typed));
    const [only, second] = found;
    if (only === undefined || found.includes(text)) continue;
    const message = `Cannot take ${quoteName(text)} as ${name}: a command that may delete something needs the whole id`;
    if (second === undefined)
      throw usageError(
        { field: name, constraint: "whole", expected: only, received: text },
        message,
        `Use ${only}: {1}.`,
        { words: toWords(text, only) },
      );
    const nearest = byLength(found);
    throw usageError(
      { field: name, constraint: "whole", expected: nearest.slice(0, maxListed), received: text },
      `${message}, and ${found.length} begin with it`,
      `Use one of: ${listNearest(text, nearest)}.`,
    );
  }
}

/**
 * Returns the arguments that a refused call probably meant, for the command that its error suggests: shortened and named
 * values are whole, and a value that was given in the place of the first parameter is the value of the second.
 */
export async function findMeantArguments(
  args: UnknownRecord,
  [first = "", second = ""]: readonly (string | undefined)[],
  resolvers: ParameterResolvers,
  action: string,
): Promise<UnknownRecord> {
  const meant: Record<string, unknown> = { ...args };
  const toWhole = async (name: string) => {
    const text = meant[name];
    const resolver = resolvers[name];
    if (typeof text !== "string" || text === "" || resolver === undefined) return text;
    const found = await resolver.find(text, meant, action);
    if (found.includes(text)) return text;
    const [only, next] = resolver.isWhole?.(text) ? [] : found;
    return only !== undefined && next === undefined ? only : await resolver.findNamed?.(text, meant);
  };
  const [given, fallback] = [meant[first], resolvers[first]?.fallback];
  const isShifted = given !== undefined && second !== "" && meant[second] === undefined;
  if (isShifted && fallback !== undefined && (await toWhole(first)) === undefined) {
    const omitted = await fallback({ isRequired: true, action }).catch(() => undefined);
    Object.assign(meant, { [first]: omitted?.value, [second]: given });
  }
  for (const name of Object.keys(resolvers)) meant[name] = (await toWhole(name)) ?? meant[name];
  return Object.fromEntries(Object.entries(meant).filter(([, value]) => value !== undefined));
}

/** Sorts values by length, because the shortest value is closest to a text with which all of them begin. */
function byLength(values: readonly string[]): readonly string[] {
  return values.toSorted((a, b) => a.length - b.length || (a < b ? -1 : 1));
}

/** The maximum number of values in the details of an error. */
const maxListed = 10;

/**
 * Returns the number of arguments left out before the first operand. If the first argument has a fallback and an
 * operand is missing, the operands may be the arguments after the first: `tasks complete task-1-2`. An argument
 * that was given as an option is not missing: `verification add verify-1-1 --result passed`.
 */
export async function countLeftOut(
  positional: readonly CliOption[],
  operands: readonly string[],
  byOption: (option: CliOption) => boolean,
  resolvers: ParameterResolvers,
  action: string,
): Promise<number> {
  const [first, second] = positional;
  const [operand, following = ""] = operands;
  if (first === undefined || second === undefined || operand === undefined) return 0;
  const [own, next] = [resolvers[first.name], resolvers[second.name]];
  if (own?.fallback === undefined || next === undefined) return 0;
  const others = positional.slice(2).filter((option) => !byOption(option));
  const missing = 2 + others.length - operands.length;
  const last = others.at(-1);
  if (missing < 1 && !(last !== undefined && isList(last.form))) return 0;
  if (byOption(first)) return 1;
  if (byOption(second)) return 0;
  const isNext = next.isWhole?.(operand) ?? false;
  if (!isNext && (next.isWhole?.(following) || missing !== 1 || !second.parameter.isRequired)) return 0;
  const known = await own.find(operand, {}, action);
  if (known.includes(operand)) return 0;
  // The beginning of a value of the first argument, such as the beginning of a spec id, is not a value of the second.
  const isFirst = !isNext && known.length > 0 && (await next.find(operand, {}, action)).length === 0;
  return isFirst ? 0 : 1;
}

/**
 * Refuses several whole values where the command takes one, such as two task ids. Without this check, the first task id
 * would be looked up as a spec.
 */
export async function refuseSeveral(
  name: string,
  positional: readonly CliOption[],
  operands: readonly string[],
  resolvers: ParameterResolvers,
): Promise<void> {
  const [first, second] = positional;
  if (first === undefined || second === undefined || isList(positional.at(-1)?.form ?? second.form)) return;
  const [own, next] = [resolvers[first.name], resolvers[second.name]];
  const given = operands.filter((operand) => next?.isWhole?.(operand));
  const [operand = "", other = ""] = operands;
  if (own?.fallback === undefined || given.length < 2 || operands.length < positional.length) return;
  const isShifted = given.includes(operand) && given.includes(other);
  if (!isShifted && operands.length === positional.length) return;
  if (isShifted && (await own.find(operand, {})).includes(operand)) return;
  throw usageError(
    { field: second.name, constraint: "maximum", expected: 1, received: given.length },
    `${name} takes one ${second.name}: ${listWords(given)} were given`,
    `Run it for each of them, beginning with {1}.`,
    { words: [...name.split(" "), ...(isShifted ? [] : [operand]), given[0] ?? ""] },
  );
}

function listWords(words: readonly string[]): string {
  const shown = words.slice(0, maxListed).map(quoteName).join(", ");
  return words.length > maxListed ? `${shown} and ${words.length - maxListed} more` : shown;
}

/** Suggests the command with the first of the values from which the user has to choose. */
function withChoice(thrown: unknown, toWords: (value: string) => readonly string[]): unknown {
  if (!isContractError(thrown) || thrown.options.remedy !== undefined) return thrown;
  const { expected } = (thrown.options.details ?? {}) as { readonly expected?: unknown };
  const first: unknown = Array.isArray(expected) ? expected[0] : undefined;
  return typeof first === "string" ? withCommand(thrown, toWords(first)) : thrown;
}

/** The arguments of a call before its values are resolved. */
export interface UnresolvedArguments {
  readonly args: UnknownRecord;
  /** The values that were typed; values from `--params` are not resolved. */
  readonly typed: ReadonlyMap<string, unknown>;
  readonly options: readonly CliOption[];
  readonly positional: readonly CliOption[];
  /** The number of arguments left out before the first operand. */
  readonly leftOut: number;
  /** The tool and its action, such as `spec undo`. */
  readonly action: string;
  /** Returns the words of the command with a value for the first argument. */
  readonly toWords: (value: string) => readonly string[];
}

/**
 * Replaces shortened values with complete values, adds values that were left out, and returns a note for each
 * change.
 */
export async function resolveArguments(
  { args, typed, options, positional, leftOut, action, toWords }: UnresolvedArguments,
  resolvers: ParameterResolvers,
): Promise<{ readonly args: UnknownRecord; readonly notes: readonly string[] }> {
  const whole: Record<string, unknown> = { ...args };
  const notes: string[] = [];
  for (const [name, resolver] of Object.entries(resolvers)) {
    const named = options.filter((option) => option.name === name);
    const option = named.find(({ key }) => Object.hasOwn(whole, key));
    const own = named.find(({ key }) => key === name);
    if (option !== undefined) {
      const value = typed.get(option.key);
      if (typeof value !== "string" || !isText(option.form)) continue;
      const resolved = await resolveValue(name, value, resolver, whole, action);
      whole[option.key] = resolved;
      if (resolved !== value) notes.push(`resolved: ${name} ${value} is ${resolved}`);
    } else if (own !== undefined && positional.includes(own)) {
      const isRequired = own.parameter.isRequired || positional.indexOf(own) < leftOut;
      const fallback = await resolver.fallback?.({ isRequired, action }).catch((thrown: unknown) => {
        throw positional[0] === own ? withChoice(thrown, toWords) : thrown;
      });
      if (fallback === undefined) continue;
      whole[name] = fallback.value;
      notes.push(`resolved: ${name} is ${fallback.value}, ${fallback.reason}`);
    }
  }
  return { args: whole, notes };
}
