import type { ShownFormat } from "./output-format.ts";
import { type ProgramOption, ProgramOptionState, splitLeading } from "./program-option.ts";

/** A command of the program that does not call a tool, such as `serve`, and writes its own output. */
export interface ProgramCommand {
  readonly name: string;
  /** @default none */
  readonly aliases?: readonly string[] | undefined;
  /** The description in help. @default none */
  readonly description?: string | undefined;
  /** The operands, in order. @default none */
  readonly arguments?: readonly CommandArgument[] | undefined;
  /** @default none */
  readonly options?: readonly CommandOption[] | undefined;
  readonly run: (values: CommandValues, context: CommandContext) => void | Promise<void>;
}

/** The context of a program command. */
export interface CommandContext {
  /** The output format, chosen by `--output`, the variable, the program or the terminal. */
  readonly output: ShownFormat;
  /** All operands as they were written, in order; `--` ends the options and is not an operand. */
  readonly operands: readonly string[];
}

/** An operand of a program command. */
export interface CommandArgument {
  readonly name: string;
  readonly description: string;
  /** @default false */
  readonly required?: boolean | undefined;
  /** True for the last operand if it may have further words, which the context lists. @default false */
  readonly isRepeated?: boolean | undefined;
}

/** An option of a program command; if it is repeated, the last value counts. */
export interface CommandOption {
  /** The flag as shown in help: `--port <port>`, or `--offline` for an option without a value. */
  readonly flags: string;
  readonly description: string;
  /** Returns the reason why a value is invalid; undefined for a valid value. @default every value is accepted */
  readonly check?: ((value: string) => string | undefined) | undefined;
}

/** The values of a program command by the names of its arguments and options; true for an option without a value. */
export type CommandValues = Readonly<Record<string, string | boolean | undefined>>;

/** Finds a program command by its name or an alias. */
export function findProgramCommand(
  commands: readonly ProgramCommand[] | undefined,
  word: string | undefined,
): ProgramCommand | undefined {
  return commands?.find(
    ({ name, aliases = [] }) => word !== undefined && (name === word || aliases.includes(word)),
  );
}

/** A command line that names a program command. */
export interface ProgramCommandLine {
  readonly command: ProgramCommand;
  /** The words after the command. */
  readonly argv: readonly string[];
  readonly options: readonly ProgramOptionState[];
  /** The program options before the command. */
  readonly given: readonly (readonly [option: ProgramOptionState, value: string | undefined])[];
}

/** Parses a line that names a program command; undefined for any other line. */
export function toProgramCommandLine(
  commands: readonly ProgramCommand[] | undefined,
  declared: readonly ProgramOption[],
  argv: readonly string[],
): ProgramCommandLine | undefined {
  if (commands === undefined) return undefined;
  const options = declared.map((option) => new ProgramOptionState(option));
  const { given, rest } = splitLeading(options, argv);
  const [first, second] = rest;
  const command = findProgramCommand(commands, first);
  if (command !== undefined) return { command, argv: rest.slice(1), options, given };
  const asked = first === "help" ? findProgramCommand(commands, second) : undefined;
  return asked === undefined ? undefined : { command: asked, argv: ["--help"], options, given };
}
