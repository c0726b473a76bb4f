import { budgetParameter, cursorJson } from "../catalogue/input-shape.ts";
import { toKey } from "../catalogue/prepared-tool.ts";
import { toVisible } from "../terminal/terminal-text.ts";
import { argumentNames } from "./argument-names.ts";
import { type CliOption, checkParameters, shownOptions, toCliOptions } from "./cli-option.ts";
import type { Program } from "./command-tree.ts";
import { type CliCommand, describeCommand, firstLine, summaryOf } from "./command-tree.ts";
import { formatHelp, type HelpPage, type HelpRow, type HelpSection } from "./format-help.ts";
import { budgetOption, globalOptions, outputOptions, versionOption } from "./global-options.ts";
import { resolversFor } from "./parameter-resolver.ts";
import type { ProgramCommand } from "./program-command.ts";
import { type ProgramOption, spellingsOf } from "./program-option.ts";
import { takesWords, toPositional } from "./read-arguments.ts";
import { toShellCommand } from "./shell-words.ts";
import { toArgvIn } from "./to-argv.ts";
import { admits, isFlag, isList, isTextOrNull } from "./value-form.ts";

/** A help page with additional lines at its end. */
interface HelpText extends HelpPage {
  readonly end?: readonly string[];
}

/** The minimum width for wrapping; with less room, text is not wrapped. */
const minWrapWidth = 20;

/** Formats the help of the program, of a group or of a command, in lines of at most `width`. */
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
  // The declared texts may contain control characters, which must not reach the terminal.
  return toVisible(`${formatHelp(help, width, minWrapWidth)}${end}`, { keepLines: true });
}

/** Formats the help of a program command, with the program options that it takes. */
export function toProgramCommandHelp(
  programName: string,
  { name, aliases: [alias] = [], description = "", arguments: operands = [], options = [] }: ProgramCommand,
  programOptions: readonly Pick<ProgramOption, "flags" | "description">[],
  width: number,
): string {
  const usage = operands.map((operand) => {
    const shown = operand.isRepeated ? `${operand.name}...` : operand.name;
    return operand.required ? `<${shown}>` : `[${shown}]`;
  });
  const help: HelpRow = ["-h, --help", "Show this help"];
  const own: HelpSection = { title: "Options:", rows: [...options.map(toRow), help] };
  const everywhere: HelpSection = {
    title: everywhereTitle,
    rows: [...programOptions, ...outputOptions].map(toRow),
  };
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

/** The commands are the last section, because a terminal shows the end of a long page. */
function toRootHelp({ command: program, about, tree, commands, options, summaries = {} }: Program): HelpText {
  const ownSummary = (word: string, text = "") => summaries[word] ?? text;
  const rows = [
    ...[...tree.groups.values()].map((group) => toCommandRow(group.name, group.summary)),
    ...[...tree.single].map(([word, command]) => toCommandRow(word, ownSummary(word, summaryOf(command)))),
    ...commands.map(({ name, description }) => toCommandRow(name, ownSummary(name, description))),
    toCommandRow("completion", "Print a completion script for bash, zsh or fish"),
  ].filter(([name]) => summaries[name] !== "");
  return {
    usage: `${program} <command> [options]`,
    description: `${about}\n\n${program} <command> --help shows its options and examples.`,
    sections: [
      { title: "Options:", rows: [toRow(versionOption)] },
      toEverywhereSection(options, [budgetOption]),
      { title: "Commands:", rows, isNarrow: true },
    ],
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
  const advice = `${program} ${word} <command> --help shows its options and examples.`;
  return {
    usage: `${program} ${word} <command> [options]`,
    description: [group?.summary ?? "", advice].filter((text) => text !== "").join("\n\n"),
    sections: [toEverywhereSection(options, [budgetOption]), { title: "Commands:", rows, isNarrow: true }],
  };
}

function toCompletionHelp({ command, name }: Program): HelpText {
  // A shell starts in the home folder, where npx does not find the program of a project. The script is kept in a file.
  const isNpx = command !== name;
  const [bash, zsh, fish] = [`~/.${name}.bash`, `~/.${name}.zsh`, `~/.config/fish/conf.d/${name}.fish`];
  return {
    usage: `${command} completion <shell>`,
    description: `Print a shell script that completes commands, options and values when you press Tab: for ${name}, with and without npx.`,
    sections: [toArgumentSection([["shell", "Shell that runs the script: bash, zsh or fish"]])],
    end: isNpx
      ? [
          "Examples:",
          "  # bash",
          `  ${command} completion bash > ${bash}`,
          `  echo 'source ${bash}' >> ~/.bashrc`,
          "  # zsh, after compinit",
          `  ${command} completion zsh > ${zsh}`,
          `  echo 'source ${zsh}' >> ~/.zshrc`,
          "  # fish",
          `  ${command} completion fish > ${fish}`,
        ]
      : [
          "Examples:",
          `  bash: source <(${command} completion bash)`,
          `  zsh:  source <(${command} completion zsh)`,
          `  fish: ${command} completion fish | source`,
        ],
  };
}

function toCommandHelp(program: Program, command: CliCommand): HelpText {
  const { action, tool, words, aliases } = command;
  const { examples = [] } = action.definition;
  checkParameters(action, program.options);
  const options = toCliOptions(action);
  const positional = toPositional(command, options);
  const nameOf = argumentNames(positional);
  const resolvers = resolversFor(command, program.resolvers);
  const hasFallback = ({ name }: CliOption) => resolvers[name]?.fallback !== undefined;
  const usage = positional.map((option) => {
    const name = `${nameOf(option)}${isList(option.form) ? "..." : ""}`;
    return option.parameter.isRequired && !hasFallback(option) ? `<${name}>` : `[${name}]`;
  });
  const optionRows = shownOptions(options).flatMap((option): readonly HelpRow[] => {
    const [flag] = option.flags;
    if (flag === undefined) return [];
    const letter = option.letter === undefined ? "" : `${option.letter}, `;
    const value = isFlag(option.form) ? "" : ` <${placeholderOf(option)}>`;
    const text = positional.includes(option) ? `Same as the argument ${nameOf(option)}` : describe(option);
    return [[`${letter}${flag}${value}`, text]];
  });
  const required = shownOptions(options).flatMap((option) => {
    const [flag] = option.flags;
    const isShown = option.parameter.isRequired && !positional.includes(option) && !hasFallback(option);
    if (!isShown || flag === undefined) return [];
    return [isFlag(option.form) ? flag : `${flag} <${placeholderOf(option)}>`];
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
    usage: [program.command, ...words, "[options]", ...required, ...usage].join(" "),
    description: describeCommand(command) ?? "",
    sections: [
      toArgumentSection(positional.map((option) => [nameOf(option), describe(option, hasFallback(option))])),
      { title: "Options:", rows: optionRows },
      toEverywhereSection(program.options, [], new Set(options.flatMap(({ flags }) => flags))),
    ],
    end: [
      ...(action.input.isOpen
        ? ["With --params, the command also accepts parameters that are not listed here."]
        : []),
      ...unwritable.map(({ key }) => `Only --params can set this parameter: ${JSON.stringify(key)}`),
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
  taken: ReadonlySet<string> = new Set(),
): HelpSection {
  const free = globalOptions.filter(({ flags }) => !spellingsOf(flags).some((flag) => taken.has(flag)));
  return { title: everywhereTitle, rows: [...free, ...options, ...further].map(toRow) };
}

/** Creates the section of arguments, which are listed only if one of them has a description. */
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

/** Returns the placeholder for an option's value in help. */
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

/** Describes how users write values on the command line, including the exceptions for this command. */
function describeValues(options: readonly CliOption[], positional: readonly CliOption[]): readonly string[] {
  const last = positional.at(-1);
  const isSpecial = options.some(({ source }) => source !== "reference");
  return [
    ...(last !== undefined && takesWords(positional)
      ? [`Write -- before ${last.key}: all words after -- are taken literally.`]
      : []),
    `${isSpecial ? "Other values" : "Values"}: @path reads the value from a file, - from stdin; a leading @@ means @.`,
  ];
}

const cursorHelp = "Show the next page; the value is the cursor printed at the end of the previous page";

/** Describes an option and the values that it may have. */
function describe(
  { name, parameter, form, help, source, negations }: CliOption,
  hasFallback = false,
): string {
  if (name === budgetParameter) return budgetOption.description;
  const { description: declared, default: value } = parameter.json;
  const description = help ?? (parameter.json === cursorJson ? cursorHelp : declared);
  const choices = form.choices ?? form.items?.choices;
  const facts = [
    choices === undefined || isFlag(form) ? "" : `choices: ${choices.map(toText).join(", ")}`,
    value === undefined ? "" : `default: ${toText(value)}`,
    isList(form) ? "may be repeated" : "",
    source === "file" ? "a file, or - for stdin" : "",
    source === "literal" ? "@file is not expanded" : "",
    negations[0] === undefined || !needsNegation(parameter, form) ? "" : `${negations[0]} for false`,
    parameter.isRequired && !hasFallback ? "required" : "",
  ].filter((fact) => fact !== "");
  const summary = facts.length === 0 ? "" : `(${facts.join("; ")})`;
  return [description, summary].filter((part) => part !== undefined && part !== "").join(" ");
}

/** True for a boolean that users may have to set to false: it is true by default, or required and may be false. */
function needsNegation({ json, isRequired }: CliOption["parameter"], form: CliOption["form"]): boolean {
  return json.default === true || (isRequired && admits(form, false));
}

function toText(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
