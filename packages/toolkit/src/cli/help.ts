import { budgetParameter } from "../catalogue/input-shape.ts";
import { toKey } from "../catalogue/prepared-tool.ts";
import { type CliOption, checkParameters, shownOptions, toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { type CliCommand, firstLine, summaryOf } from "./command-tree.ts";
import { formatHelp, type HelpPage, type HelpRow, type HelpSection } from "./format-help.ts";
import { budgetOption, globalOptions, versionOption } from "./global-options.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";
import { takesWords, toPositional } from "./read-arguments.ts";
import { toShellCommand } from "./shell-words.ts";
import { toVisible } from "./terminal-text.ts";
import { toArgvIn } from "./to-argv.ts";
import { isFlag, isList, isTextOrNull } from "./value-form.ts";

/** A help page with the lines below it. */
interface HelpText extends HelpPage {
  readonly end?: readonly string[];
}

/** Text narrower than this is not wrapped. */
const minWrapWidth = 20;

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
  const end = help.end === undefined ? "" : `\n${help.end.join("\n")}\n`;
  // Declarations may hold anything; a terminal gets nothing but text.
  return toVisible(`${formatHelp(help, width, minWrapWidth)}${end}`, { keepLines: true });
}

/** The help of a program command, with the program options that it takes. */
export function toProgramCommandHelp(
  programName: string,
  { name, aliases: [alias] = [], description = "", arguments: operands = [], options = [] }: ProgramCommand,
  programOptions: readonly Pick<ProgramOption, "flags" | "description">[],
  width: number,
): string {
  const usage = operands.map((operand) => (operand.required ? `<${operand.name}>` : `[${operand.name}]`));
  const help: HelpRow = ["-h, --help", "display help for command"];
  const own: HelpSection = { title: "Options:", rows: [...options.map(toRow), help] };
  const everywhere: HelpSection = { title: everywhereTitle, rows: programOptions.map(toRow) };
  const page: HelpPage = {
    usage: [programName, alias === undefined ? name : `${name}|${alias}`, "[options]", ...usage].join(" "),
    description,
    sections: [
      toArgumentSection(operands.map((operand) => [operand.name, operand.description])),
      ...(options.length === 0 ? [everywhere, own] : [own, everywhere]),
    ],
  };
  return formatHelp(page, width, 40);
}

function toRootHelp({ command: program, about, tree, commands, options }: Program): HelpText {
  return {
    usage: `${program} <command> [options]`,
    description: about,
    sections: [
      toEverywhereSection(options, [budgetOption]),
      { title: "Options:", rows: [toRow(versionOption)] },
      {
        title: "Commands:",
        rows: [
          ...[...tree.groups.values()].map((group) => toCommandRow(group.name, group.summary)),
          ...[...tree.single].map(([word, command]) => toCommandRow(word, summaryOf(command) ?? "")),
          ...commands.map((command) => toCommandRow(command.name, command.description ?? "")),
          ["completion", "Print a script that completes commands in bash, zsh or fish"],
        ],
      },
    ],
    end: [`${program} <command> --help tells more of a command.`],
  };
}

function toGroupHelp({ command: program, tree, options }: Program, word: string): HelpText {
  const group = tree.groups.get(toKey(word));
  const rows = tree.namesIn(word).map((second) => {
    const command = tree.find(word, second);
    const isOwn = command?.words[0] === toKey(word) && command.words[1] === second;
    const summary = (command && summaryOf(command)) ?? "";
    return toCommandRow(second, isOwn || !group ? summary : `Same as ${command?.words.join(" ")}`);
  });
  return {
    usage: `${program} ${word} <command> [options]`,
    description: group?.summary ?? "",
    sections: [toEverywhereSection(options, [budgetOption]), { title: "Commands:", rows }],
  };
}

function toCompletionHelp({ name }: Program): HelpText {
  return {
    usage: `${name} completion <shell>`,
    description: "Prints a script that completes commands, options and values.",
    sections: [toArgumentSection([["shell", "bash, zsh or fish"]])],
    end: [
      "Examples:",
      `  bash: source <(${name} completion bash)`,
      `  zsh:  source <(${name} completion zsh)`,
      `  fish: ${name} completion fish | source`,
    ],
  };
}

function toCommandHelp(program: Program, command: CliCommand): HelpText {
  const { action, tool, words, aliases } = command;
  const { description = tool.isPlain ? tool.description : "", examples = [] } = action.definition;
  checkParameters(action, program.options);
  const options = toCliOptions(action);
  const positional = toPositional(command, options);
  const nameOf = argumentNames(positional);
  const usage = positional.map((option) => {
    const name = `${nameOf(option)}${isList(option.form) ? "..." : ""}`;
    return option.parameter.isRequired ? `<${name}>` : `[${name}]`;
  });
  const optionRows = shownOptions(options).flatMap((option): readonly HelpRow[] => {
    const [flag] = option.flags;
    if (flag === undefined) return [];
    const letter = option.letter === undefined ? "" : `${option.letter}, `;
    const value = isFlag(option.form) ? "" : ` <${placeholderOf(option)}>`;
    const text = positional.includes(option) ? `Same as the argument ${nameOf(option)}` : describe(option);
    return [[`${letter}${flag}${value}`, text]];
  });
  const shell = (args: Readonly<Record<string, unknown>>) =>
    toShellCommand([
      ...program.command.split(" "),
      ...toArgvIn(
        program.tree,
        program.registry,
        tool.name,
        tool.isPlain ? args : { action: action.name, ...args },
        { isWhole: true },
      ),
    ]);
  const unwritable = options.filter(({ flags, key, name }) => flags.length === 0 && key === name);
  return {
    usage: [program.command, ...words, "[options]", ...usage].join(" "),
    description,
    sections: [
      toArgumentSection(positional.map((option) => [nameOf(option), describe(option)])),
      { title: "Options:", rows: optionRows },
      toEverywhereSection(program.options),
    ],
    end: [
      ...(action.input.isOpen ? ["It takes further parameters of any name with --json."] : []),
      ...unwritable.map(({ key }) => `Only with --json: ${JSON.stringify(key)}`),
      ...(aliases.length === 0 ? [] : [`Also: ${aliases.map((path) => path.join(" ")).join(", ")}`]),
      ...describeValues(shownOptions(options), positional),
      ...(examples.length === 0 ? [] : ["", "Examples:"]),
      ...examples.flatMap(({ title, args }) => [`  # ${title}`, `  ${shell(args)}`]),
    ],
  };
}

const everywhereTitle = "Options of every command:";

function toEverywhereSection(
  options: readonly ProgramOption[],
  further: readonly Described[] = [],
): HelpSection {
  return { title: everywhereTitle, rows: [...globalOptions, ...options, ...further].map(toRow) };
}

/** Arguments are listed only if one of them has a description. */
function toArgumentSection(rows: readonly HelpRow[]): HelpSection {
  return { title: "Arguments:", rows: rows.some(([, description]) => description !== "") ? rows : [] };
}

interface Described {
  readonly flags: string;
  readonly letter?: string;
  readonly description: string;
}

function toRow({ flags, letter, description }: Described): HelpRow {
  return [letter === undefined ? flags : `${letter}, ${flags}`, description];
}

function toCommandRow(name: string, summary: string): HelpRow {
  return [name, firstLine(summary)];
}

/** The placeholder of the value in help. */
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

/** The only file argument is called `file`; several keep the names of their parameters. */
function argumentNames(positional: readonly CliOption[]): (option: CliOption) => string {
  const isOnlyFile = positional.filter(({ source }) => source === "file").length === 1;
  return ({ key, source }) => (source === "file" && isOnlyFile ? "file" : key);
}

/** Says how values are written, with the exceptions of the command. */
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

/** Describes an option and the values that it may have. */
function describe({ name, parameter, form, source, negations }: CliOption): string {
  if (name === budgetParameter) return budgetOption.description;
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
  const summary = facts.length === 0 ? "" : `(${facts.join("; ")})`;
  return [description, summary].filter((part) => part !== undefined && part !== "").join(" ");
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
