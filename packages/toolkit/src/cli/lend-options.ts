import { EventEmitter } from "node:events";
import type { Command, Option } from "commander";
import { addProgramOption } from "./option-parser.ts";
import type { HeardOption } from "./program-option.ts";

/**
 * Lends a command the options of the program; what it, or a command below it, calls so itself stays
 * theirs. Returns the way to take them back, for the command may be run again.
 */
export function lendOptions(command: Command, options: readonly HeardOption[]): () => void {
  const own = [...command.options];
  const heard = new Set<string>();
  for (const option of options) {
    const isTaken = commandsFrom(command).some(({ options }) =>
      options.some(({ long }) => option.spellings.includes(long ?? "")),
    );
    if (isTaken) continue;
    addProgramOption(command, option);
    for (const flag of option.spellings) heard.add(`option:${flag.slice(2)}`);
  }
  return () => {
    (command.options as Option[]).splice(0, Number.POSITIVE_INFINITY, ...own);
    // commander does not tell in its types that commands emit events.
    if (command instanceof EventEmitter) for (const event of heard) command.removeAllListeners(event);
  };
}

/** A command and all below it. */
export function commandsFrom(command: Command): readonly Command[] {
  return [command, ...command.commands.flatMap(commandsFrom)];
}
