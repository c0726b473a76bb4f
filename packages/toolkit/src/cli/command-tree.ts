import { internal } from "@foundry-mcp/contract";
import { type PreparedAction, type PreparedTool, toKey } from "../catalogue/prepared-tool.ts";
import type { Registry } from "../registry/registry.ts";
import { checkParameters } from "./cli-option.ts";
import type { ParameterResolvers } from "./parameter-resolver.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";

/** An action as a command of the program. */
export interface CliCommand {
  readonly tool: PreparedTool;
  readonly action: PreparedAction;
  /** The one or two words that help shows. */
  readonly words: readonly string[];
  /** The declared aliases, as words. */
  readonly aliases: readonly (readonly string[])[];
}

/** The commands that share a first word, for help and completion. */
export interface CommandGroup {
  readonly name: string;
  readonly summary: string;
  /** The commands by their second word. */
  readonly commands: ReadonlyMap<string, CliCommand>;
}

/** The commands of a program. */
export interface CommandTree {
  readonly groups: ReadonlyMap<string, CommandGroup>;
  /** The commands that consist of one word. */
  readonly single: ReadonlyMap<string, CliCommand>;
  /** Finds a command by its one or two words; the words may be in any accepted spelling. */
  find(...words: readonly string[]): CliCommand | undefined;
  /** True if the word, in any spelling, is the first word of a group of commands. */
  isGroup(word: string): boolean;
  /** Lists the second words of the group with this name, in any spelling. */
  namesIn(word: string): readonly string[];
  commandOf(action: PreparedAction): CliCommand | undefined;
  /** All commands by their words, with an entry for every accepted spelling. */
  readonly paths: ReadonlyMap<string, CliCommand>;
}

const commandWord = /^[\p{L}\p{N}][\p{L}\p{N}._:-]*$/u;

/**
 * Creates the commands of a registry; throws if two commands have the same name. A declared command name takes
 * precedence over alternative spellings of tool and action names. Also throws for a parameter that is written like
 * a program option. A schema that is created on demand is checked only when its command is used, because creating
 * all schemas would slow down the start of every command.
 */
export function createCommandTree(
  registry: Registry,
  taken: readonly string[] = [],
  options: readonly ProgramOption[] = [],
  summaries: Readonly<Record<string, string>> = {},
): CommandTree {
  const byPath = new Map<string, CliCommand>();
  const groupKeys = new Map<string, Set<string>>();
  const groups = new Map<string, CommandGroup & { readonly commands: Map<string, CliCommand> }>();
  const single = new Map<string, CliCommand>();
  const byAction = new Map<PreparedAction, CliCommand>();
  const reserved = new Set(taken.map(toKey));

  const fits = ([first = "", second]: readonly string[]) =>
    !reserved.has(toKey(first)) &&
    (second === undefined ? !groupKeys.has(toKey(first)) : !byPath.has(toKey(first)));
  const put = (words: readonly string[], command: CliCommand): void => {
    byPath.set(toPath(words), command);
    const [first = "", second] = words.map(toKey);
    if (second === undefined) return;
    const below = groupKeys.get(first) ?? new Set();
    groupKeys.set(first, below.add(second));
  };
  const declare = (words: readonly string[], command: CliCommand): void => {
    const other = byPath.get(toPath(words));
    if (other === command) return;
    if (other !== undefined) throw clash(words, command, `${other.action.label} is called so`);
    if (!fits(words)) throw clash(words, command, `${words[0]} is another command`);
    put(words, command);
    show(words, command);
  };
  const show = ([first = "", second]: readonly string[], command: CliCommand): void => {
    if (second === undefined) {
      single.set(first, command);
      return;
    }
    const group = groups.get(first) ?? createGroup(first, summaries[first]);
    groups.set(first, group);
    group.commands.set(second, command);
  };

  const commands = registry.tools.flatMap((tool) => [...tool.actions.values()].flatMap(toCommand(tool)));
  for (const { action } of commands) if (hasSchema(action)) checkParameters(action, options);
  for (const command of commands) byAction.set(command.action, command);
  for (const command of commands) declare(command.words, command);
  for (const command of commands) for (const words of command.aliases) declare(words, command);
  for (const command of commands) {
    for (const words of spellingsOf(command)) {
      if (!byPath.has(toPath(words)) && fits(words)) put(words, command);
    }
  }
  return {
    groups,
    single,
    find: (...words) => byPath.get(toPath(words)),
    isGroup: (word) => groupKeys.has(toKey(word)),
    namesIn: (word) => [...(groups.get(toKey(word))?.commands.keys() ?? groupKeys.get(toKey(word)) ?? [])],
    commandOf: (action) => byAction.get(action),
    paths: byPath,
  };
}

/** Returns the first line of the summary of a command; undefined if the command has no summary. */
export function summaryOf(command: CliCommand): string | undefined {
  const summary = describeCommand(command);
  return summary === undefined ? undefined : firstLine(summary);
}

/**
 * Returns the summary of a command for help: the text for people if one is declared, otherwise the description for
 * models.
 */
export function describeCommand({ tool, action: { definition } }: CliCommand): string | undefined {
  const { cli, description = tool.isPlain ? tool.description : undefined } = definition;
  return (cli === false ? undefined : cli?.help?.summary) ?? description;
}

function createGroup(
  name: string,
  declared: string | undefined,
): CommandGroup & { readonly commands: Map<string, CliCommand> } {
  const commands = new Map<string, CliCommand>();
  return {
    name,
    commands,
    get summary() {
      if (declared !== undefined) return declared;
      const [first, ...others] = new Set(commands.values());
      if (first === undefined) return "";
      // The summary of a group with one command is the summary of that command.
      const own = others.length === 0 ? summaryOf(first) : undefined;
      return own ?? firstLine(first.tool.description);
    },
  };
}

function toCommand(tool: PreparedTool): (action: PreparedAction) => readonly CliCommand[] {
  return (action) => {
    const { cli } = action.definition;
    if (cli === false) return [];
    const own = tool.isPlain ? [toKey(tool.name)] : [toKey(tool.name), toKey(action.name)];
    const words = cli?.command === undefined ? own : toWords(cli.command);
    const aliases = (cli?.aliases ?? []).map(toWords);
    for (const path of [words, ...aliases]) {
      if (path.length <= 2 && path.every((word) => commandWord.test(word))) continue;
      throw internal(
        `Cannot place ${action.label} on the command line: "${path.join(" ")}" is not one or two words of letters, digits, ., _, : and -`,
      );
    }
    return [{ tool, action, words, aliases }];
  };
}

/** True if the schema of the input has already been created. */
function hasSchema({ definition: { input } }: PreparedAction): boolean {
  return input !== undefined && (typeof input !== "function" || "~standard" in input);
}

/** Lists the names and aliases of the tool and the action as words of a command. */
function spellingsOf({ tool, action }: CliCommand): readonly (readonly string[])[] {
  const tools = [tool.name, ...(tool.aliases ?? [])];
  if (tool.isPlain) return tools.map((name) => [name]);
  const actions = [action.name, ...(action.definition.aliases ?? [])];
  return tools.flatMap((first) => actions.map((second) => [first, second]));
}

function toWords(command: string): readonly string[] {
  return command.trim().split(/\s+/).map(toKey);
}

/** Joins the words of a command in a normalized spelling: snake_case and kebab-case are equivalent. */
export function toPath(words: readonly string[]): string {
  return words.map(toKey).join(" ");
}

function clash(words: readonly string[], { action }: CliCommand, why: string) {
  return internal(`Cannot place ${action.label} on the command line as "${words.join(" ")}": ${why}`, {
    remediation: "Give one of the two another command with cli.command of its declaration.",
  });
}

/** Returns the first line of a description, for a list. */
export function firstLine(text: string): string {
  return text.trim().split("\n", 1)[0]?.trim() ?? "";
}

/** A program: its registry with its commands and options. */
export interface Program {
  readonly name: string;
  /** The words with which users start the program. */
  readonly command: string;
  /** A sentence about the program for its help. */
  readonly about: string;
  readonly version: string;
  readonly registry: Registry;
  readonly tree: CommandTree;
  /** The commands that do not call a tool. */
  readonly commands: readonly ProgramCommand[];
  /** The options that the program adds to every command. */
  readonly options: readonly ProgramOption[];
  /** The resolvers of parameter values. */
  readonly resolvers: ParameterResolvers;
  /**
   * Sentences about commands and options of another program, by their words; each sentence says what to do
   * instead.
   * @default none
   */
  readonly refusals?: Readonly<Record<string, string>>;
  /** The commands that unknown words probably mean. */
  readonly synonyms?: Readonly<Record<string, string>>;
  /** The summaries of the commands with one word, which the help of the program shows. @default their descriptions */
  readonly summaries?: Readonly<Record<string, string>>;
  /** The program with all of its tools, if this program was opened with only the tool of one command. */
  readonly whole?: Program;
}

/** The built-in commands of every program. */
export const builtInCommands = ["completion", "__complete"] as const;
