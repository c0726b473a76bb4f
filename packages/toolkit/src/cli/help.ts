import { Argument, Command } from "commander";
import { budgetParameter } from "../catalogue/input-shape.ts";
import { toKey } from "../catalogue/prepared-tool.ts";
import { checkParameters } from "./check-program-options.ts";
import { type CliOption, shownOptions, toCliOptions } from "./cli-option.ts";
import { type CliCommand, firstLine, summaryOf } from "./command-tree.ts";
import {
  addBudgetOption,
  addGlobalOptions,
  addOption,
  budgetDescription,
  createCommand,
} from "./option-parser.ts";
import type { Program } from "./program.ts";
import { takesWords, toPositional } from "./read-arguments.ts";
import { toShellCommand } from "./shell-words.ts";
import { toArgvIn } from "./to-argv.ts";
import { isFlag, isList } from "./value-form.ts";
import { toVisible } from "./visible.ts";
import { createWishes } from "./global-options.ts";

const ignore = (): void => {};

/** The help of the program, of a group or of a command, in lines of at most `width`. */
export function toHelp(program: Program, words: readonly string[], width: number): string {
  const [first, second] = words;
  const command = first === undefined ? undefined : program.tree.find(...words);
  const help =
    command !== undefined
      ? toCommandHelp(program, command)
      : first === "completion"
        ? toCompletionHelp(program)
        : first !== undefined && second === undefined
          ? toGroupHelp(program, first)
          : toRootHelp(program);
  help.configureOutput({ getOutHelpWidth: () => width, getOutHasColors: () => false });
  help.configureHelp({
    minWidthToWrap: 20,
    subcommandTerm: (sub) => sub.name(),
    optionTerm: ({ flags }) => flags,
  });
  // Declarations may hold anything; a terminal gets nothing but text.
  return toVisible(help.helpInformation(), { keepLines: true });
}

function toRootHelp({ name, registry, tree, commands, options }: Program): Command {
  const { title, name: registryName } = registry.options;
  const root = createCommand(name).description(firstLine(title ?? registryName));
  for (const group of tree.groups.values()) list(root, group.name, group.summary);
  for (const [word, command] of tree.single) list(root, word, summaryOf(command) ?? "");
  for (const command of commands) list(root, command.name(), command.summary() || command.description());
  list(root, "completion", "Print a script that completes commands in bash, zsh or fish");
  addGlobalOptions(root, createWishes(options));
  addBudgetOption(root, createWishes());
  root.option("--version", "Show the version");
  return withEnd(root.usage("<command> [options]"), [
    `${toShellCommand([name])} <command> --help tells more of a command.`,
  ]);
}

function toGroupHelp({ name, tree, options }: Program, word: string): Command {
  const group = tree.groups.get(toKey(word));
  const help = createCommand(`${name} ${word}`).description(group?.summary ?? "");
  for (const second of tree.namesIn(word)) {
    const command = tree.find(word, second);
    const isOwn = command?.words[0] === toKey(word) && command.words[1] === second;
    const says = (command && summaryOf(command)) ?? "";
    list(help, second, isOwn || !group ? says : `Same as ${command?.words.join(" ")}`);
  }
  addGlobalOptions(help, createWishes(options));
  addBudgetOption(help, createWishes());
  return help.usage("<command> [options]");
}

function toCompletionHelp({ name }: Program): Command {
  const help = createCommand(`${name} completion`);
  help.description("Prints a script that completes commands, options and values.");
  help.addArgument(new Argument("<shell>", "bash, zsh or fish"));
  return withEnd(help.usage("<shell>"), [
    "Examples:",
    `  bash: source <(${name} completion bash)`,
    `  zsh:  source <(${name} completion zsh)`,
    `  fish: ${name} completion fish | source`,
  ]);
}

function toCommandHelp(program: Program, command: CliCommand): Command {
  const { action, tool, words, aliases } = command;
  const { description = tool.isPlain ? tool.description : "", examples = [] } = action.definition;
  checkParameters(action, program.options);
  const help = createCommand([program.name, ...words].join(" ")).description(description);
  const options = toCliOptions(action);
  const positional = toPositional(command, options);
  const nameOf = argumentNames(positional);
  for (const option of positional) {
    const name = `${nameOf(option)}${isList(option.form) ? "..." : ""}`;
    help.addArgument(new Argument(option.parameter.isRequired ? `<${name}>` : `[${name}]`, describe(option)));
  }
  for (const option of shownOptions(options)) {
    const says = positional.includes(option) ? `Same as the argument ${nameOf(option)}` : describe(option);
    addOption(help, option, says, ignore);
  }
  addGlobalOptions(help, createWishes(program.options));
  const shell = (args: Readonly<Record<string, unknown>>) =>
    toShellCommand([
      program.name,
      ...toArgvIn(
        program.tree,
        program.registry,
        tool.name,
        tool.isPlain ? args : { action: action.name, ...args },
        { isWhole: true },
      ),
    ]);
  const unwritable = options.filter(({ flags, key, name }) => flags.length === 0 && key === name);
  return withEnd(help, [
    ...(action.input.isOpen ? ["It takes further parameters of any name with --json."] : []),
    ...unwritable.map(({ key }) => `Only with --json: ${JSON.stringify(key)}`),
    ...(aliases.length === 0 ? [] : [`Also: ${aliases.map((path) => path.join(" ")).join(", ")}`]),
    ...describeValues(shownOptions(options), positional),
    ...(examples.length === 0 ? [] : ["", "Examples:"]),
    ...examples.flatMap(({ title, args }) => [`  # ${title}`, `  ${shell(args)}`]),
  ]);
}

function list(help: Command, name: string, summary: string): void {
  help.addCommand(new Command(name).description(firstLine(summary)));
}

/** Puts lines behind the help; commander itself adds them only where it prints. */
function withEnd(help: Command, lines: readonly string[]): Command {
  const { helpInformation } = help;
  help.helpInformation = (context) => `${helpInformation.call(help, context)}\n${lines.join("\n")}\n`;
  return help;
}

/** A file is called so, whatever the parameter that gets its content; several need their own names. */
function argumentNames(positional: readonly CliOption[]): (option: CliOption) => string {
  const isOnlyFile = positional.filter(({ source }) => source === "file").length === 1;
  return ({ key, source }) => (source === "file" && isOnlyFile ? "file" : key);
}

/** How values are written, with the exceptions that the command makes. */
function describeValues(options: readonly CliOption[], positional: readonly CliOption[]): readonly string[] {
  const last = positional.at(-1);
  const isSpecial = options.some(({ source }) => source !== "reference");
  return [
    ...(last !== undefined && takesWords(positional)
      ? [`Write -- before ${last.key}: what follows is taken as it stands.`]
      : []),
    `${isSpecial ? "Other values" : "Values"}: @path is read from a file, - from stdin; @@ begins a text with @.`,
  ];
}

/** What an option is for, and what it may be. */
function describe({ name, parameter, form, source, negations }: CliOption): string {
  if (name === budgetParameter) return budgetDescription;
  const { description, default: value } = parameter.json;
  const choices = form.choices ?? form.items?.choices;
  const facts = [
    choices === undefined || isFlag(form) ? "" : `choices: ${choices.map(toText).join(", ")}`,
    value === undefined ? "" : `default: ${toText(value)}`,
    isList(form) ? "may be repeated" : "",
    source === "file" ? "a file, or - for stdin" : "",
    source === "literal" ? "taken as it stands" : "",
    negations[0] === undefined ? "" : `${negations[0]} for false`,
    parameter.isRequired ? "required" : "",
  ].filter((fact) => fact !== "");
  const told = facts.length === 0 ? "" : `(${facts.join("; ")})`;
  return [description, told].filter((part) => part !== undefined && part !== "").join(" ");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
