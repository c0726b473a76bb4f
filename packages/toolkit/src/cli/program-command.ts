import { type ProgramOption, ProgramOptionState, splitLeading } from "./program-option.ts";

/** A command of the program that calls no tool, such as `serve`. It writes its output itself. */
export interface ProgramCommand {
  readonly name: string;
  /** @default none */
  readonly aliases?: readonly string[] | undefined;
  /** What help says of it. @default nothing */
  readonly description?: string | undefined;
  /** The operands by their place. @default none */
  readonly arguments?: readonly CommandArgument[] | undefined;
  /** @default none */
  readonly options?: readonly CommandOption[] | undefined;
  readonly run: (values: CommandValues) => void | Promise<void>;
}

/** An operand of a program command. */
export interface CommandArgument {
  readonly name: string;
  readonly description: string;
  /** @default false */
  readonly required?: boolean | undefined;
}

/** An option of a program command; given twice, the last value counts. */
export interface CommandOption {
  /** As help shows it: `--port <port>`, or `--offline` for an option without a value. */
  readonly flags: string;
  readonly description: string;
  /** Returns why a value is refused, or undefined. @default every value is accepted */
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

/** Returns the line of a program command; undefined when the line names none. */
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
