import type { UnknownRecord } from "@foundry-mcp/contract";
import { quoteName } from "@foundry-mcp/contract/input";
import { nearest, suggest } from "../text/did-you-mean.ts";
import type { CliCommand, Program } from "./command-tree.ts";
import { type GlobalValues, versionOption } from "./global-options.ts";
import { findJsonWithValue } from "./output-format.ts";
import { budgetParserOption, globalParserOptions, type ParserOption, parseOptions } from "./parse-options.ts";
import { findProgramCommand } from "./program-command.ts";
import { readArguments } from "./read-arguments.ts";
import type { TextReader } from "./read-text.ts";
import { withCommand } from "./suggested-command.ts";
import { type UsageError, usageError } from "./usage-error.ts";

/** A parsed command line. */
export type CommandLine =
  | {
      readonly kind: "call";
      readonly command: CliCommand;
      readonly args: UnknownRecord;
      readonly notes: readonly string[];
    }
  /** A request for the help of the program, of a group or of a command. */
  | { readonly kind: "help"; readonly words: readonly string[] }
  | { readonly kind: "version" }
  | { readonly kind: "completion"; readonly shell: string | undefined }
  /** A line that names only the program or a group, without a command. */
  | { readonly kind: "bare"; readonly words: readonly string[]; readonly refusal: UsageError };

/** Parses a command line and stores the options that every command takes in `globals`. */
export async function parseCommandLine(
  program: Program,
  argv: readonly string[],
  globals: GlobalValues,
  read: TextReader,
): Promise<CommandLine> {
  const { tree, command: name } = program;
  const misused = findJsonWithValue(name, argv);
  if (misused !== undefined) throw misused;
  const version: ParserOption = {
    flag: versionOption.flags,
    letter: versionOption.letter,
    takesValue: false,
    isHidden: false,
    onValue: () => {
      globals.version = true;
    },
  };
  const branchOptions = [...globalParserOptions(globals), budgetParserOption(globals)];
  const parseBranch = (branch: string, words: readonly string[], options = branchOptions) =>
    parseOptions(branch, options, words, globals, { stopsAtOperand: true });
  const operands = parseBranch(name, argv, [...branchOptions, version]);
  if (operands[0] === "help" && tree.find("help") === undefined && !tree.isGroup("help")) {
    operands.shift();
    globals.help = true;
  }
  const [first, ...rest] = operands;
  if (globals.version && !globals.help) return { kind: "version" };
  if (first === undefined) return atBranch(program, [], globals);
  if (first === "completion") {
    const [shell] = parseBranch(`${name} completion`, rest);
    return globals.help ? { kind: "help", words: ["completion"] } : { kind: "completion", shell };
  }
  const single = tree.find(first);
  if (single !== undefined) return parseCommand(program, single, [first], rest, globals, read);
  if (!tree.isGroup(first)) throw unknownCommand(program, [], first, rest);
  let [second, ...others] = parseBranch(`${name} ${first}`, rest);
  if (second === "help" && tree.find(first, "help") === undefined) {
    globals.help = true;
    [second, ...others] = parseBranch(`${name} ${first}`, others);
  }
  if (second === undefined) return atBranch(program, [first], globals);
  const command = tree.find(first, second);
  if (command === undefined) throw unknownCommand(program, [first], second, others);
  return parseCommand(program, command, [first, second], others, globals, read);
}

/** Lists the names of the commands that may follow these words. */
export function namesAt({ tree, commands }: Program, words: readonly string[]): readonly string[] {
  const [first] = words;
  if (first !== undefined) return tree.namesIn(first);
  return [
    ...tree.groups.keys(),
    ...tree.single.keys(),
    ...commands.map((command) => command.name),
    "completion",
  ];
}

async function parseCommand(
  program: Program,
  command: CliCommand,
  words: readonly string[],
  argv: readonly string[],
  globals: GlobalValues,
  read: TextReader,
): Promise<CommandLine> {
  const name = `${program.command} ${words.join(" ")}`;
  const found = await readArguments(name, command, argv, globals, read, program.resolvers, (flag) =>
    refusalOf(program, [...words, flag]),
  );
  return found === undefined ? { kind: "help", words: command.words } : { kind: "call", command, ...found };
}

function atBranch(program: Program, words: readonly string[], globals: GlobalValues): CommandLine {
  if (globals.help) return { kind: "help", words };
  const names = namesAt(program, words);
  const refusal = usageError(
    { field: "command", constraint: "required", expected: names },
    `Cannot run ${[program.command, ...words].join(" ")} alone: it needs a command`,
    `Add a command. ${suggest("", names)}`,
  );
  return { kind: "bare", words, refusal };
}

/** Creates the error for an unknown command, which suggests the command that was probably meant, with all further words. */
function unknownCommand(
  program: Program,
  words: readonly string[],
  written: string,
  further: readonly string[],
): UsageError {
  const names = namesAt(program, words);
  const typed = quoteName(written);
  if (words.length === 0 && findProgramCommand(program.commands, written) !== undefined) {
    return usageError(
      { field: "command", constraint: "order", received: written },
      `Cannot run ${program.command} ${typed} after other options: it accepts only its own options`,
      `Write ${program.command} ${written} first, and its options after it.`,
    );
  }
  const place = [program.command, ...words].join(" ");
  const refusal = refusalOf(program, [...words, written]);
  const elsewhere = words.length === 0 ? undefined : findInOtherGroup(program, words, written);
  const guess = nearest(written, names);
  const meant =
    refusal === undefined
      ? (elsewhere ?? (guess === undefined ? undefined : [...words, guess].join(" ")))
      : lookUp(program.synonyms, [...words, written]);
  const error = usageError(
    { field: "command", constraint: "enum", expected: names, received: written },
    `${place} has no command ${typed}`,
    refusal !== undefined
      ? refusal
      : elsewhere === undefined
        ? suggest(written, names, `${place} --help lists them all.`)
        : `Did you mean ${program.command} ${elsewhere}? ${place} --help lists the commands of ${words.join(" ")}.`,
  );
  if (meant === undefined) return error;
  return withCommand(error, [...program.command.split(" "), ...meant.split(" "), ...further]);
}

function refusalOf({ refusals }: Program, words: readonly string[]): string | undefined {
  return lookUp(refusals, words);
}

function lookUp(
  table: Readonly<Record<string, string>> | undefined,
  words: readonly string[],
): string | undefined {
  const written = words.join(" ");
  return table !== undefined && Object.hasOwn(table, written) ? table[written] : undefined;
}

/** Finds a command with the given name in another group: `tasks next` for `specs next`. */
function findInOtherGroup({ tree }: Program, words: readonly string[], written: string): string | undefined {
  const group = [...tree.groups.values()].find(({ name }) => tree.find(name, written) !== undefined);
  return group === undefined || group.name === words[0] ? undefined : `${group.name} ${written}`;
}
