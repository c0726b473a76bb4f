import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Command } from "commander";
import { suggest } from "../text/did-you-mean.ts";
import type { CliCommand } from "./command-tree.ts";
import { addBudgetOption, addGlobalOptions, createCommand, parseOptions } from "./option-parser.ts";
import { findOwnCommand } from "./own-line.ts";
import type { Program } from "./program.ts";
import { readArguments } from "./read-arguments.ts";
import type { TextReader } from "./read-text.ts";
import { type UsageError, usageError } from "./usage-error.ts";
import type { Wishes } from "./global-options.ts";

/** What a command line asks for. */
export type Line =
  | { readonly kind: "call"; readonly command: CliCommand; readonly args: UnknownRecord }
  /** Help of the program, of a group or of a command. */
  | { readonly kind: "help"; readonly words: readonly string[] }
  | { readonly kind: "version" }
  | { readonly kind: "completion"; readonly shell: string | undefined }
  /** Nothing that could be done: the program or a group alone. */
  | { readonly kind: "bare"; readonly words: readonly string[]; readonly refusal: UsageError };

/** Reads a command line. Only the command that is called gets its options; what is asked besides goes to `wishes`. */
export async function parseLine(
  program: Program,
  argv: readonly string[],
  wishes: Wishes,
  read: TextReader,
): Promise<Line> {
  const { tree, name } = program;
  const root = createRoot(name, wishes);
  const operands = parseOptions(root, argv, wishes);
  if (operands[0] === "help" && tree.find("help") === undefined && !tree.isGroup("help")) {
    operands.shift();
    wishes.help = true;
  }
  const [first, ...rest] = operands;
  if (wishes.version && !wishes.help) return { kind: "version" };
  if (first === undefined) return atBranch(program, [], wishes);
  if (first === "completion") {
    const [shell] = parseOptions(createBranch(`${name} completion`, wishes), rest, wishes);
    return wishes.help ? { kind: "help", words: ["completion"] } : { kind: "completion", shell };
  }
  const single = tree.find(first);
  if (single !== undefined) return parseCommand(program, single, [first], rest, wishes, read);
  if (!tree.isGroup(first)) throw unknownCommand(program, [], first);
  const [second, ...others] = parseOptions(createBranch(`${name} ${first}`, wishes), rest, wishes);
  if (second === undefined) return atBranch(program, [first], wishes);
  const command = tree.find(first, second);
  if (command === undefined) throw unknownCommand(program, [first], second);
  return parseCommand(program, command, [first, second], others, wishes, read);
}

/** The commands that may be typed after some words. */
export function namesAt({ tree, commands }: Program, words: readonly string[]): readonly string[] {
  const [first] = words;
  if (first !== undefined) return tree.namesIn(first);
  return [
    ...tree.groups.keys(),
    ...tree.single.keys(),
    ...commands.map((command) => command.name()),
    "completion",
  ];
}

function createRoot(name: string, wishes: Wishes): Command {
  const root = createBranch(name, wishes).option("--version", "Show the version");
  root.on("option:version", () => {
    wishes.version = true;
  });
  return root;
}

/** What stands before the last word of a command: its options end where the next word begins. */
function createBranch(name: string, wishes: Wishes): Command {
  const branch = createCommand(name).passThroughOptions();
  addGlobalOptions(branch, wishes);
  addBudgetOption(branch, wishes);
  return branch;
}

async function parseCommand(
  program: Program,
  command: CliCommand,
  words: readonly string[],
  argv: readonly string[],
  wishes: Wishes,
  read: TextReader,
): Promise<Line> {
  const args = await readArguments(`${program.name} ${words.join(" ")}`, command, argv, wishes, read);
  return args === undefined ? { kind: "help", words: command.words } : { kind: "call", command, args };
}

function atBranch(program: Program, words: readonly string[], wishes: Wishes): Line {
  if (wishes.help) return { kind: "help", words };
  const names = namesAt(program, words);
  const refusal = usageError(
    { field: "command", constraint: "required", expected: names },
    `Cannot run ${[program.name, ...words].join(" ")} alone: it needs a command`,
    `Add a command. ${suggest("", names)}`,
  );
  return { kind: "bare", words, refusal };
}

function unknownCommand(program: Program, words: readonly string[], written: string): UsageError {
  const names = namesAt(program, words);
  const typed = JSON.stringify(written.slice(0, 60).toWellFormed());
  if (words.length === 0 && findOwnCommand(program.commands, written) !== undefined) {
    return usageError(
      { field: "command", constraint: "order", received: written },
      `Cannot run ${program.name} ${typed} after other options: it takes its own alone`,
      `Write ${program.name} ${written} first, and its options behind it.`,
    );
  }
  return usageError(
    { field: "command", constraint: "enum", expected: names, received: written },
    `${[program.name, ...words].join(" ")} has no command ${typed}`,
    suggest(written, names),
  );
}
