// Offers a registry as a program: its actions as commands, each answering with one envelope line.
export type { CliOptions, RegistrySource } from "./cli/cli-options.ts";
export type {
  CommandArgument,
  CommandOption,
  CommandValues,
  ProgramCommand,
} from "./cli/program-command.ts";
export type { ProgramOption } from "./cli/program-option.ts";
export { runCli, serveCli } from "./cli/run-cli.ts";
// The command line as words: what a call would be typed as.
export { toShellCommand } from "./cli/shell-words.ts";
export { toArgv } from "./cli/to-argv.ts";

// Writing for people: what `show` of an action gets, and texts that do a terminal no harm and fit into it.

export { pluralize, toVisible, truncate, widthOf } from "./cli/terminal-text.ts";
export type { Canvas, Colors } from "./define/action.ts";
