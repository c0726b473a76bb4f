import { internal, type UnknownRecord } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { budgetParameter } from "../catalogue/input-shape.ts";
import { isConfirmation } from "../schema/confirmation.ts";
import { argumentNames } from "./argument-names.ts";
import { type CliOption, checkParameters, toCliOptions } from "./cli-option.ts";
import type { CliCommand } from "./command-tree.ts";
import type { GlobalValues } from "./global-options.ts";
import {
  countLeftOut,
  type ParameterResolvers,
  refuseSeveral,
  refuseShortened,
  resolveArguments,
  resolversFor,
} from "./parameter-resolver.ts";
import { globalParserOptions, type ParserOption, parseOptions, takesNoValue } from "./parse-options.ts";
import type { TextReader } from "./read-text.ts";
import { givenTwice, type UsageError, usageError } from "./usage-error.ts";
import { fromTexts, isFlag, isList, isText, parseJson } from "./value-form.ts";

type GivenValues = Map<CliOption, (string | boolean)[]>;

/** The arguments of a call. */
export interface ReadArguments {
  readonly args: UnknownRecord;
  /** Lines that explain how shortened and omitted values were resolved. */
  readonly notes: readonly string[];
}

/** Reads the arguments of a call from its command line; undefined if the line asks for help. */
export async function readArguments(
  name: string,
  command: CliCommand,
  argv: readonly string[],
  globals: GlobalValues,
  read: TextReader,
  known: ParameterResolvers = {},
  refusalOf?: (flag: string) => string | undefined,
): Promise<ReadArguments | undefined> {
  checkParameters(command.action, globals.options);
  const options = toCliOptions(command.action);
  const given: GivenValues = new Map();
  const own = options.flatMap((option) => toParserOptions(option, (value) => add(given, option, value)));
  const positional = toPositional(command, options);
  const everywhere = globalParserOptions(globals).filter(({ flag }) =>
    own.every((each) => each.flag !== flag),
  );
  const operands = parseOptions(name, [...own, ...everywhere], argv, globals, {
    advice: takesWords(positional) ? endOfOptions : undefined,
    refusalOf,
  });
  if (globals.help) return undefined;
  if (operands.length > positional.length) refuseFlagValue(options, argv);
  const resolvers = resolversFor(command, known);
  await refuseSeveral(name, positional, operands, resolvers);
  const byOption = new Set(given.keys());
  const action = `${command.tool.name} ${command.action.name}`;
  const leftOut = await countLeftOut(positional, operands, (option) => given.has(option), resolvers, action);
  placeOperands(positional, operands, given, leftOut, () =>
    tooMany(name, argv, positional, operands, options, byOption, known),
  );
  const budget = options.find(({ key }) => key === budgetParameter);
  if (budget !== undefined && globals.maxTokens !== undefined) add(given, budget, globals.maxTokens);
  const values: [CliOption, unknown][] = [];
  const nameOf = argumentNames(positional);
  for (const [option, texts] of given) {
    // An error names what was typed: the option, or the operand as help shows it.
    const typedAs =
      byOption.has(option) || !positional.includes(option) ? option.flags[0] : `<${nameOf(option)}>`;
    values.push([option, await readValue(option, texts, read, typedAs)]);
  }
  const whole = globals.params === undefined ? {} : await readParams(command, globals.params, read);
  const typed = new Map(values.map(([{ key }, value]) => [key, value]));
  const args = merge(command, whole, values);
  if (command.action.definition.destructive) {
    await refuseShortened(typed, known, (text, whole) => [
      ...name.split(" "),
      ...argv.map((word) => (word === text ? whole : word)),
      ...confirmingWords(options, args),
      ...missingWords(globals, argv),
    ]);
  }
  const toWords = (value: string) => [...name.split(" "), value, ...argv, ...missingWords(globals, argv)];
  return resolveArguments({ args, typed, options, positional, leftOut, action, toWords }, resolvers);
}

/** Returns the flags that confirm the call and are missing, so that one refusal names everything that the call needs. */
function confirmingWords(options: readonly CliOption[], args: UnknownRecord): readonly string[] {
  return options.flatMap(({ key, parameter: { json, isRequired }, flags: [flag] }) =>
    isRequired && isConfirmation(json) && args[key] === undefined && flag !== undefined ? [flag] : [],
  );
}

/** Returns the words of the program options that were written before the command. */
function missingWords({ options }: GlobalValues, argv: readonly string[]): readonly string[] {
  return options.flatMap(({ words }) => (words.some((word) => argv.includes(word)) ? [] : words));
}

/** Creates the parser options for every spelling of an option; `onValue` receives a text or a boolean. */
function toParserOptions(
  option: CliOption,
  onValue: (value: string | boolean) => void,
): readonly ParserOption[] {
  const { flags, letter, contested, negations, form } = option;
  const without = { takesValue: false, isHidden: true };
  return [
    ...flags.map((flag, index) => ({
      flag,
      letter: index === 0 ? letter : undefined,
      takesValue: !isFlag(form),
      isHidden: option.key !== option.name || index > 0,
      onValue: (text: string | undefined) => onValue(text ?? true),
    })),
    ...contested.map((flag) => ({
      ...without,
      flag,
      onValue: () => {
        throw ambiguous(option, flag);
      },
    })),
    ...negations.map((flag) => ({ ...without, flag, onValue: () => onValue(false) })),
  ];
}

/** Creates the error for a flag that could mean either of two parameters. */
function ambiguous({ key, negations }: CliOption, flag: string): UsageError {
  const [negation = "--params"] = negations;
  return usageError(
    { field: flag, constraint: "ambiguous" },
    `Cannot read ${flag}: it could say that ${key} is false, or give a parameter that is called so`,
    `Write ${negation} for ${key} as false, and --arg-${flag.slice(2)} for the other.`,
  );
}

/** Returns the options for the parameters that are positional arguments. */
export function toPositional({ action }: CliCommand, options: readonly CliOption[]): readonly CliOption[] {
  const { cli } = action.definition;
  const names = (cli === false ? undefined : cli?.arguments) ?? [];
  return names.map((name, index) => {
    const option = options.find(({ key }) => key === name);
    if (option === undefined) {
      throw internal(`Cannot place ${action.label} on the command line: it takes no parameter ${name}`);
    }
    if (isList(option.form) && index < names.length - 1) {
      throw internal(
        `Cannot place ${action.label} on the command line: the list ${name} takes every argument, so it must be the last`,
      );
    }
    return option;
  });
}

/** True if the last argument takes all remaining words literally, such as another command line. */
export function takesWords(positional: readonly CliOption[]): boolean {
  const last = positional.at(-1);
  return last !== undefined && last.source === "literal" && isList(last.form);
}

const endOfOptions = "Write -- before words that have options of their own.";

function placeOperands(
  positional: readonly CliOption[],
  operands: readonly string[],
  given: GivenValues,
  leftOut: number,
  onExcess: () => UsageError,
): void {
  const byOption = new Set(given.keys());
  for (const [index, operand] of operands.entries()) {
    const last = positional.at(-1);
    const option =
      positional[index + leftOut] ?? (last !== undefined && isList(last.form) ? last : undefined);
    if (option === undefined) throw onExcess();
    if (byOption.has(option) && !option.form.types.has("array")) throw collision(option, operand);
    add(given, option, operand);
  }
}

/** Throws if there are too many arguments because one of them was meant as the value of a flag. */
function refuseFlagValue(options: readonly CliOption[], argv: readonly string[]): void {
  for (const [index, word] of argv.entries()) {
    const value = argv[index + 1];
    if (word === "--") return;
    if (value !== "true" && value !== "false") continue;
    const option = options.find(({ form, flags }) => isFlag(form) && flags.includes(word));
    if (option !== undefined) throw takesNoValue(word, option.negations[0]);
  }
}

function add(given: GivenValues, option: CliOption, value: string | boolean): void {
  given.set(option, [...(given.get(option) ?? []), value]);
}

async function readValue(
  option: CliOption,
  values: readonly (string | boolean)[],
  read: TextReader,
  flag = option.key,
): Promise<unknown> {
  const [first] = values;
  if (values.length > 1 && !option.form.types.has("array")) throw givenTwice(flag);
  if (typeof first === "boolean") return first;
  const texts: string[] = [];
  // The values are read one after another, because only one value may come from stdin.
  for (const value of values) texts.push(await read(String(value), flag, option.source));
  return fromTexts(texts, option.form, option.source);
}

/** Reads the object of `--params`. */
async function readParams(
  { tool, action }: CliCommand,
  params: string,
  read: TextReader,
): Promise<UnknownRecord> {
  const value = parseJson(await read(params, "--params"))?.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usageError(
      { field: "--params", constraint: "json", expected: "an object of parameters" },
      "Cannot read --params: it is no JSON object",
      `Give --params an object of parameters, such as --params '{"max_tokens":0}', or @file.`,
    );
  }
  if (tool.isPlain) return value as UnknownRecord;
  const { action: named, ...rest } = value as UnknownRecord;
  if (named === undefined || named === action.name) return rest;
  if (typeof named === "string" && tool.findAction(named) === action) return rest;
  throw usageError(
    { field: "action", constraint: "enum", expected: [action.name], received: named },
    `Cannot read --params: it names another action than the command, which is ${action.name}`,
    "Leave action out of --params.",
  );
}

/** Merges options into the object of `--params`; options take precedence, even if the object uses an alias. */
function merge(
  { tool, action }: CliCommand,
  whole: UnknownRecord,
  own: readonly (readonly [CliOption, unknown])[],
): UnknownRecord {
  const aliases = action.definition.parameterAliases ?? {};
  const currentName = (key: string) => (Object.hasOwn(aliases, key) ? aliases[key] : key);
  const named = new Set(own.map(([{ name }]) => name));
  const rest = Object.entries(whole).filter(([key]) => !named.has(currentName(key) ?? key));
  return Object.fromEntries([
    ...(tool.isPlain ? [] : [["action", action.name] as const]),
    ...rest,
    ...own.map(([{ key }, value]) => [key, value] as const),
  ]);
}

function collision({ key, flags: [flag = "--params"] }: CliOption, operand: string) {
  return usageError(
    { field: flag, constraint: "duplicate", received: operand },
    `Cannot read the command line: the argument ${quoteName(operand)} stands for ${key}, which ${flag} gives as well`,
    `Give ${key} as an argument or as ${flag}, not both.`,
  );
}

/**
 * Creates the error for an operand too many. If text without quotes was split into words, or a required text is an option
 * of the command, the error shows the command with the quoted text.
 */
function tooMany(
  name: string,
  argv: readonly string[],
  positional: readonly CliOption[],
  operands: readonly string[],
  options: readonly CliOption[],
  given: ReadonlySet<CliOption>,
  resolvers: ParameterResolvers,
): UsageError {
  const operand = operands[positional.length] ?? operands.at(-1) ?? "";
  const wanted = positional.map(({ key }) => key).join(", ");
  const takesText = (option: CliOption) =>
    isText(option.form) &&
    option.form.choices === undefined &&
    option.source === "reference" &&
    !/(?:^|_)id$/.test(option.name) &&
    resolvers[option.name] === undefined;
  const last = positional.at(-1);
  const isSplit = last !== undefined && takesText(last);
  const flagged = options.filter(
    (option) =>
      option.parameter.isRequired &&
      option.key === option.name &&
      !positional.includes(option) &&
      !given.has(option) &&
      takesText(option),
  );
  const pieces = operands.slice(positional.length - (isSplit ? 1 : 0));
  const text = pieces.join(" ");
  const words = isSplit ? [text] : flagged.length === 0 ? undefined : toFlagWords(flagged, pieces);
  const list = positional.length === 0 ? "no arguments" : `${wanted} as arguments`;
  return usageError(
    { field: "arguments", constraint: "maximum", expected: positional.length, received: operand },
    `${name} takes ${list}: ${quoteName(operand)} is unexpected`,
    words === undefined
      ? `Leave it out; ${name} --help lists the options.`
      : isSplit
        ? `Write ${last.key} in quotes: {1}.`
        : `Give ${flagged.map(({ key }) => key).join(" and ")} as ${flagged.length === 1 ? "an option" : "options"}: {1}.`,
    words === undefined ? {} : { words: [...name.split(" "), ...replaceWords(argv, pieces, words)] },
  );
}

/**
 * Gives operands as options, one each. The last option takes all words that remain, because its quotes were probably
 * forgotten; a word in capitals stands for a value for which no operand is left.
 */
function toFlagWords(options: readonly CliOption[], operands: readonly string[]): readonly string[] {
  const missing = Math.max(0, options.length - operands.length);
  return options.flatMap(({ key, flags: [flag = ""] }, index) => {
    const at = index - missing;
    const own = index === options.length - 1 ? operands.slice(at) : operands.slice(at, at + 1);
    return [flag, at < 0 ? key.toUpperCase() : own.join(" ")];
  });
}

/** Replaces the first of some operands by other words, and removes the following ones. */
function replaceWords(
  argv: readonly string[],
  operands: readonly string[],
  words: readonly string[],
): readonly string[] {
  const left = [...operands];
  return argv.flatMap((word) => {
    if (word !== left[0]) return [word];
    left.shift();
    return left.length === operands.length - 1 ? words : [];
  });
}
