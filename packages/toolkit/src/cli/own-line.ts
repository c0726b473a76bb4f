import type { Command } from "commander";
import type { CliOptions } from "./cli-options.ts";
import { HeardOption, splitLeading } from "./program-option.ts";

/** The command of the program's own that a word names; undefined where it names none. */
export function findOwnCommand(
  commands: readonly Command[] | undefined,
  word: string | undefined,
): Command | undefined {
  return commands?.find(
    (command) => word !== undefined && [command.name(), ...command.aliases()].includes(word),
  );
}

/** A command line that is for a command of the program's own. */
export interface OwnLine {
  readonly own: Command;
  /** The words from the command's own on. */
  readonly argv: readonly string[];
  readonly options: readonly HeardOption[];
  /** The options of the program that stand before it. */
  readonly given: readonly (readonly [option: HeardOption, value: string | undefined])[];
}

/** The line for a command of the program's own; undefined where it is for none. */
export function findOwnLine(
  { commands, options = [] }: CliOptions,
  argv: readonly string[],
): OwnLine | undefined {
  if (commands === undefined) return undefined;
  const heard = options.map((option) => new HeardOption(option));
  const { given, rest } = splitLeading(heard, argv);
  const [first, second] = rest;
  const own = findOwnCommand(commands, first);
  if (own !== undefined) return { own, argv: rest, options: heard, given };
  const asked = first === "help" ? findOwnCommand(commands, second) : undefined;
  if (asked === undefined) return undefined;
  return { own: asked, argv: [asked.name(), "--help"], options: heard, given };
}
