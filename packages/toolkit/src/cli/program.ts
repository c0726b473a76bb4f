import type { Registry } from "../registry/registry.ts";
import type { CommandTree } from "./command-tree.ts";
import type { ProgramCommand } from "./program-command.ts";
import type { ProgramOption } from "./program-option.ts";

/** A program as its command line is read and told. */
export interface Program {
  readonly name: string;
  readonly version: string;
  readonly registry: Registry;
  readonly tree: CommandTree;
  /** The program's own commands, which call no tool. */
  readonly commands: readonly ProgramCommand[];
  /** What the program adds to the options of every command. */
  readonly options: readonly ProgramOption[];
}

/** The commands that every program has besides those of its tools. */
export const builtInCommands = ["completion", "__complete"] as const;
