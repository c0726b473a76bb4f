// Offers a registry as a command-line program: the actions of the registry are commands, and each command prints
// one line with an envelope.

export type { CliOptions, CommandParts, HomePage, RegistrySource } from "./cli/cli-options.ts";
export { type CommandOperands, completeOperand } from "./cli/complete-operand.ts";
export { listCommandTools } from "./cli/open-program.ts";
export type { OutputFormat, ShownFormat } from "./cli/output-format.ts";
export type {
  FallbackUse,
  FallbackValue,
  ParameterResolver,
  ParameterResolvers,
} from "./cli/parameter-resolver.ts";
export type {
  CommandArgument,
  CommandContext,
  CommandOption,
  CommandValues,
  ProgramCommand,
} from "./cli/program-command.ts";
export type { ProgramOption } from "./cli/program-option.ts";
export { runCli, serveCli } from "./cli/run-cli.ts";
// Formats calls of tools as shell commands.
export { toShellCommand } from "./cli/shell-words.ts";
export { toArgv } from "./cli/to-argv.ts";

// Output for people: the types that an action's `show` uses, and functions that escape texts for a terminal and fit
// them to its width.

export type { Canvas, Colors } from "./define/action.ts";
export { pluralize, toVisible, truncate, widthOf } from "./terminal/terminal-text.ts";
