import { Command, CommanderError, Option } from "commander";
import { suggest } from "../text/did-you-mean.ts";
import type { CliOption } from "./cli-option.ts";
import { type HeardOption, spellingsOf, takesValue } from "./program-option.ts";
import { givenTwice, type UsageError, usageError } from "./usage-error.ts";
import { isFlag, isTextOrNull } from "./value-form.ts";
import { globalOptions, listen, type Wishes } from "./global-options.ts";

const ignore = (): void => {};

/** A command of commander that says nothing and ends nothing by itself. */
export function createCommand(name: string): Command {
  return new Command(name)
    .helpOption(false)
    .helpCommand(false)
    .exitOverride()
    .configureOutput({ writeOut: ignore, writeErr: ignore, outputError: ignore });
}

/** Adds what every command takes, and writes it down as it is met. */
export function addGlobalOptions(command: Command, wishes: Wishes): void {
  for (const { flags, description, key } of globalOptions) {
    const write = (value: string | undefined) => {
      if (value === undefined) Object.assign(wishes, { [key]: true });
      else if (wishes[key] === undefined) Object.assign(wishes, { [key]: value });
      else throw givenTwice(spellingsOf(flags)[0] ?? "");
    };
    addGlobalOption(command, key === "help" ? `-h, ${flags}` : flags, description, spellingsOf(flags), write);
  }
  for (const option of wishes.options) addProgramOption(command, option);
}

/** Adds an option of the program, and has it hear what it is given. */
export function addProgramOption(command: Command, option: HeardOption): void {
  const { flags, description, spellings } = option;
  addGlobalOption(command, flags, description, spellings, (value) => option.hear(value));
}

function addGlobalOption(
  command: Command,
  flags: string,
  description: string,
  [flag = "", ...others]: readonly string[],
  hear: (value: string | undefined) => void,
): void {
  command.addOption(new Option(flags, description).helpGroup("Options of every command:"));
  listen(command, flag, hear);
  for (const other of others) {
    command.addOption(new Option(takesValue(flags) ? `${other} <value>` : other).hideHelp());
    listen(command, other, hear);
  }
}

/** Adds the budget, which an action's own command has as a parameter. */
export function addBudgetOption(command: Command, wishes: Wishes): void {
  const option = new Option("--max-tokens <integer>", budgetDescription);
  command.addOption(option.helpGroup("Options of every command:"));
  listen(command, "--max-tokens", (value) => {
    if (wishes.maxTokens !== undefined) throw givenTwice("--max-tokens");
    wishes.maxTokens = value ?? "";
  });
}

/** On the command line nothing is left out unless it is asked for. */
export const budgetDescription = "Most tokens of the answer; 0 for no limit (default: 0)";

/** Adds an option of an action in all its spellings; `hear` gets the texts, true and false. */
export function addOption(
  command: Command,
  option: CliOption,
  description: string,
  hear: (value: string | boolean) => void,
): void {
  const value = isFlag(option.form) ? "" : ` <${placeholderOf(option)}>`;
  const isShown = option.key === option.name;
  for (const [index, flag] of option.flags.entries()) {
    const hidden = !isShown || index > 0;
    const letter = index === 0 && option.letter !== undefined ? `${option.letter}, ` : "";
    command.addOption(new Option(`${letter}${flag}${value}`, description).hideHelp(hidden));
    listen(command, flag, (text) => hear(text ?? true));
  }
  for (const flag of option.contested) {
    command.addOption(new Option(flag).hideHelp());
    listen(command, flag, () => {
      throw contested(option, flag);
    });
  }
  for (const flag of option.negations) {
    command.addOption(new Option(flag).hideHelp());
    listen(command, flag, () => hear(false));
  }
}

/** What stands for the value in help. */
function placeholderOf({ form, source }: CliOption): string {
  if (source === "file") return "file";
  const { types, isInteger, items } = form;
  if (isTextOrNull(form)) return "text";
  if (types.size === 1) {
    if (types.has("string")) return "text";
    if (types.has("number")) return isInteger ? "integer" : "number";
    if (types.has("array")) return items?.types.size === 1 && items.types.has("string") ? "text" : "json";
  }
  return "json";
}

/**
 * Reads the options of a command line: what is left are operands; an option that nothing knows is refused,
 * and `advice` says what else may have been meant.
 */
export function parseOptions(
  command: Command,
  argv: readonly string[],
  wishes: Wishes,
  advice?: string,
): string[] {
  let parsed: ReturnType<Command["parseOptions"]>;
  try {
    parsed = command.parseOptions([...argv]);
  } catch (thrown) {
    if (thrown instanceof CommanderError) throw withoutValue(thrown);
    throw thrown;
  }
  const [unknown] = parsed.unknown;
  if (unknown !== undefined && !wishes.help) throw unknownOption(command, unknown, advice);
  return parsed.operands;
}

/** The refusal of a flag that two parameters could mean. */
function contested({ key, negations }: CliOption, flag: string): UsageError {
  const [negation = "--json"] = negations;
  return usageError(
    { field: flag, constraint: "ambiguous" },
    `Cannot read ${flag}: it could say that ${key} is false, or give a parameter that is called so`,
    `Write ${negation} for ${key} as false, and --arg-${flag.slice(2)} for the other.`,
  );
}

/** The refusal of a value for what takes none. */
export function takesNoValue(flag: string, opposite: string | undefined): UsageError {
  return usageError(
    { field: flag, constraint: "type", expected: "no value" },
    `Cannot read ${flag}: it takes no value`,
    opposite === undefined ? `Write ${flag} alone.` : `Write ${flag} for true and ${opposite} for false.`,
  );
}

function unknownOption(command: Command, written: string, advice: string | undefined): UsageError {
  const [flag = ""] = written.split("=", 1);
  if (command.options.some(({ long }) => long === flag)) {
    return takesNoValue(flag, command.options.find(({ long }) => long === `--no-${flag.slice(2)}`)?.long);
  }
  const names = command.options.flatMap(({ long, hidden }) => (hidden || !long ? [] : [long]));
  return usageError(
    { field: flag, constraint: "unknown", expected: names },
    `${command.name()} takes no option "${flag.slice(0, 60).toWellFormed()}"`,
    [suggest(flag, names), ...(advice === undefined ? [] : [advice])].join(" "),
  );
}

function withoutValue(thrown: CommanderError): UsageError {
  const [, flag = "an option"] = /'(?:-\w, )?(--[^\s']+)/.exec(thrown.message) ?? [];
  return usageError(
    { field: flag, constraint: "required" },
    `Cannot read the command line: ${flag} has no value`,
    `Give ${flag} a value.`,
  );
}
