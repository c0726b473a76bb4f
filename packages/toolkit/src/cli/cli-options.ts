import type { Readable } from "node:stream";
import type { Logger } from "../context/logger.ts";
import type { Registry } from "../registry/registry.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";
import type { TextStream } from "./streams.ts";

/** A registry, or a function that creates it when a command needs it. */
export type RegistrySource = Registry | (() => Registry | Promise<Registry>);

/** The options of a program on top of a registry; everything but the name has a default. */
export interface CliOptions {
  /** The name of the program, and of the client of its calls. */
  readonly name: string;
  /** How users start the program, for help and remedies: `npx notes`. @default its name */
  readonly command?: string | undefined;
  /** A sentence about the program for its help. @default the title of the registry */
  readonly about?: string | undefined;
  /** @default the registry's */
  readonly version?: string | undefined;
  /** The words of the command line, without the program itself. @default those of the process */
  readonly argv?: readonly string[] | undefined;
  /** @default the process's */
  readonly stdin?: Readable | undefined;
  /** @default the process's */
  readonly stdout?: TextStream | undefined;
  /** @default the process's */
  readonly stderr?: TextStream | undefined;
  /** Read for NO_COLOR, FORCE_COLOR, TERM and COLUMNS. @default the process's */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Answer Ctrl-C, SIGTERM and exceptions that nothing catches with an envelope. @default true */
  readonly signals?: boolean | undefined;
  /** Interrupts the call as Ctrl-C does. @default nothing but the process's own signals */
  readonly signal?: AbortSignal | undefined;
  /** Commands that call no tool, such as `serve`; they write their output themselves. @default none */
  readonly commands?: readonly ProgramCommand[] | undefined;
  /** Options that the program adds to every command, to its own `commands` too. @default none */
  readonly options?: readonly ProgramOption[] | undefined;
  /** @default the registry's */
  readonly logger?: Logger | undefined;
}
