import type { Readable } from "node:stream";
import type { Logger } from "../context/logger.ts";
import type { Registry } from "../registry/registry.ts";
import type { OutputFormat } from "./output-format.ts";
import type { ParameterResolvers } from "./parameter-resolver.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";
import type { TextStream } from "./streams.ts";

/** A registry, or a function that creates it when a command needs it. */
export type RegistrySource = Registry | (() => Registry | Promise<Registry>);

/**
 * Creates a registry with only the tool of the command, so that a program with many tools starts faster. The whole
 * registry is created only if the tool is not known in advance or a response names commands of other tools.
 */
export interface CommandParts {
  /** The names of tools by the words of their commands, as listed by `listCommandTools`. */
  readonly toolOf: Readonly<Record<string, string>>;
  /** Creates a registry with one tool, or the whole registry if no name is passed. */
  open(tool?: string): Registry;
}

/** The options of a program that runs the commands of a registry; only the name is required. */
export interface CliOptions {
  /** The name of the program; also the client name of its calls. */
  readonly name: string;
  /**
   * The words with which users start the program, for help and remedies, such as `npx notes`.
   * @default the name of the program
   */
  readonly command?: string | undefined;
  /** A sentence about the program for its help. @default the title of the registry */
  readonly about?: string | undefined;
  /**
   * A sentence for the help of the program about each group of commands or command of one word, by its first word.
   * @default the description of its first tool or of the command
   */
  readonly groups?: Readonly<Record<string, string>> | undefined;
  /** @default the version of the registry */
  readonly version?: string | undefined;
  /**
   * The words of the command line, without the program itself.
   * @default the words of the command line of the process
   */
  readonly argv?: readonly string[] | undefined;
  /** @default the stdin of the process */
  readonly stdin?: Readable | undefined;
  /** @default the stdout of the process */
  readonly stdout?: TextStream | undefined;
  /** @default the stderr of the process */
  readonly stderr?: TextStream | undefined;
  /**
   * The environment variables. The program reads NO_COLOR, FORCE_COLOR, TERM, COLUMNS, the variables of the
   * locale and `outputVariable`.
   * @default the environment of the process
   */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** True to print an envelope on Ctrl-C, SIGTERM and uncaught exceptions. @default true */
  readonly signals?: boolean | undefined;
  /** A signal that interrupts the call like Ctrl-C. @default only the signals of the process */
  readonly signal?: AbortSignal | undefined;
  /** Commands that do not call a tool, such as `serve`, and write their own output. @default none */
  readonly commands?: readonly ProgramCommand[] | undefined;
  /** Options that the program adds to every command, including `commands`. @default none */
  readonly options?: readonly ProgramOption[] | undefined;
  /**
   * The output format if neither `--output` nor the variable names one, for example from a settings file. A
   * function is called when the command line is parsed; if the function throws, the format is `auto`.
   * @default auto
   */
  readonly output?: OutputFormat | (() => OutputFormat | Promise<OutputFormat>) | undefined;
  /** The environment variable that sets the output format. @default NOTES_OUTPUT for a program called `notes` */
  readonly outputVariable?: string | undefined;
  /** The page for people who type only the name of the program. @default the help of the program */
  readonly home?: (() => HomePage | Promise<HomePage>) | undefined;
  /**
   * Resolvers of parameter values, by parameter name. A value with a resolver may be shortened to a unique
   * prefix, and the shell can complete it. If the resolver has a fallback, the value may be left out.
   * Destructive actions accept only values that are written in full.
   * @default none
   */
  readonly resolvers?: ParameterResolvers | undefined;
  /**
   * Sentences about commands and options that another program has and this program lacks. Each sentence says
   * what to do instead. The keys are words, such as `session`, `review tools` and `specs create --template`.
   * @default none
   */
  readonly refusals?: Readonly<Record<string, string>> | undefined;
  /**
   * The command that an unknown command in `refusals` probably means, by the unknown words: `tasks show` for `tasks view`.
   * The error suggests the command with all further words of the command line.
   * @default none
   */
  readonly synonyms?: Readonly<Record<string, string>> | undefined;
  /** Creates only the tool that a command needs. @default every command creates the whole registry */
  readonly parts?: CommandParts | undefined;
  /** @default the logger of the registry */
  readonly logger?: Logger | undefined;
}

/**
 * The page for people who type only the name of a program. If the output is not a terminal, a command line
 * without a command is refused.
 */
export interface HomePage {
  /** The words of a command whose result is shown first. @default none */
  readonly argv?: readonly string[] | undefined;
  /** The text below the result. @default none */
  readonly text?: string | undefined;
}
