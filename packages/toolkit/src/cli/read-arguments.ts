import { internal, type UnknownRecord } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { budgetParameter } from "../catalogue/input-shape.ts";
import { type CliOption, checkParameters, toCliOptions } from "./cli-option.ts";
import type { CliCommand } from "./command-tree.ts";
import type { GlobalValues } from "./global-options.ts";
import { globalParserOptions, type ParserOption, parseOptions, takesNoValue } from "./parse-options.ts";
import type { TextReader } from "./read-text.ts";
import { givenTwice, type UsageError, usageError } from "./usage-error.ts";
import { fromTexts, isFlag, isList, parseJson } from "./value-form.ts";

type GivenValues = Map<CliOption, (string | boolean)[]>;

/** Reads the arguments of a call from its command line; undefined if it asks for help. */
export async function readArguments(
  name: string,
  command: CliCommand,
  argv: readonly string[],
  globals: GlobalValues,
  read: TextReader,
): Promise<UnknownRecord | undefined> {
  checkParameters(command.action, globals.options);
  const options = toCliOptions(command.action);
  const given: GivenValues = new Map();
  const own = options.flatMap((option) => toParserOptions(option, (value) => add(given, option, value)));
  const positional = toPositional(command, options);
  const operands = parseOptions(name, [...own, ...globalParserOptions(globals)], argv, globals, {
    advice: takesWords(positional) ? endOfOptions : undefined,
  });
  if (globals.help) return undefined;
  if (operands.length > positional.length) refuseFlagValue(options, argv);
  placeOperands(name, positional, operands, given);
  const budget = options.find(({ key }) => key === budgetParameter);
  if (budget !== undefined && globals.maxTokens !== undefined) add(given, budget, globals.maxTokens);
  const values: [CliOption, unknown][] = [];
  for (const [option, texts] of given) values.push([option, await readValue(option, texts, read)]);
  const whole = globals.json === undefined ? {} : await readJsonOption(command, globals.json, read);
  return merge(command, whole, values);
}

/** The spellings of an option for the parser; `onValue` receives a text, true or false. */
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

/** The refusal of a flag that two parameters could mean. */
function ambiguous({ key, negations }: CliOption, flag: string): UsageError {
  const [negation = "--json"] = negations;
  return usageError(
    { field: flag, constraint: "ambiguous" },
    `Cannot read ${flag}: it could say that ${key} is false, or give a parameter that is called so`,
    `Write ${negation} for ${key} as false, and --arg-${flag.slice(2)} for the other.`,
  );
}

/** The parameters that are given as positional arguments. */
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

/** True if the last argument takes all further words as they are, such as another command line. */
export function takesWords(positional: readonly CliOption[]): boolean {
  const last = positional.at(-1);
  return last !== undefined && last.source === "literal" && isList(last.form);
}

const endOfOptions = "Write -- before words that have options of their own.";

function placeOperands(
  name: string,
  positional: readonly CliOption[],
  operands: readonly string[],
  given: GivenValues,
): void {
  const byOption = new Set(given.keys());
  for (const [index, operand] of operands.entries()) {
    const last = positional.at(-1);
    const option = positional[index] ?? (last !== undefined && isList(last.form) ? last : undefined);
    if (option === undefined) throw tooMany(name, positional, operand);
    if (byOption.has(option) && !option.form.types.has("array")) throw collision(option, operand);
    add(given, option, operand);
  }
}

/** With too many arguments, one of them may have been meant as the value of a flag. */
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
): Promise<unknown> {
  const flag = option.flags[0] ?? option.key;
  const [first] = values;
  if (values.length > 1 && !option.form.types.has("array")) throw givenTwice(flag);
  if (typeof first === "boolean") return first;
  const texts: string[] = [];
  // One after another: only the first may read stdin.
  for (const value of values) texts.push(await read(String(value), flag, option.source));
  return fromTexts(texts, option.form, option.source);
}

/** Reads the object of `--json`. */
async function readJsonOption(
  { tool, action }: CliCommand,
  json: string,
  read: TextReader,
): Promise<UnknownRecord> {
  const value = parseJson(await read(json, "--json"))?.value;
  if (typeof value !== "object" || value === null || Array.isArray(value)) {
    throw usageError(
      { field: "--json", constraint: "json", expected: "an object of parameters" },
      "Cannot read --json: it is no JSON object",
      `Give --json an object of parameters, such as --json '{"max_tokens":0}', or @file.`,
    );
  }
  if (tool.isPlain) return value as UnknownRecord;
  const { action: named, ...rest } = value as UnknownRecord;
  if (named === undefined || named === action.name) return rest;
  if (typeof named === "string" && tool.findAction(named) === action) return rest;
  throw usageError(
    { field: "action", constraint: "enum", expected: [action.name], received: named },
    `Cannot read --json: it names another action than the command, which is ${action.name}`,
    "Leave action out of --json.",
  );
}

/** Merges options into the object of `--json`: they win over it, whatever alias it uses. */
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

function collision({ key, flags: [flag = "--json"] }: CliOption, operand: string) {
  return usageError(
    { field: flag, constraint: "duplicate", received: operand },
    `Cannot read the command line: the argument ${quoteName(operand)} stands for ${key}, which ${flag} gives as well`,
    `Give ${key} by its place or as ${flag}, not both.`,
  );
}

function tooMany(name: string, positional: readonly CliOption[], operand: string) {
  const wanted = positional.map(({ key }) => key).join(", ");
  return usageError(
    { field: "arguments", constraint: "maximum", expected: positional.length, received: operand },
    `${name} takes ${positional.length === 0 ? "no arguments" : `${wanted} as arguments`}: ${quoteName(operand)} is one too many`,
    `Leave it out, or give it as an option; ${name} --help lists them.`,
  );
}
