import { internal } from "@foundry-mcp/contract";
import type { PreparedAction } from "../catalogue/prepared-tool.ts";
import { toCliOptions } from "./cli-option.ts";
import { type ProgramOption, spellingsOf } from "./program-option.ts";
import { globalOptions } from "./global-options.ts";

/** `--no-…` is left out: it would say no to an option of the rest of its name. */
const wellFormed = /^--(?!no-)[a-z][a-z0-9]*(-[a-z0-9]+)*( <[^<>\s]+>)?$/;

const builtIn = [...globalOptions.map(({ flags }) => flags), "--max-tokens", "--version"];

/** Refuses options of a program that cannot be written, and those whose names are taken. */
export function checkProgramOptions(options: readonly ProgramOption[]): void {
  const taken = new Set(builtIn.flatMap(spellingsOf));
  for (const { flags } of options) {
    if (!wellFormed.test(flags)) {
      throw internal(`Cannot add the option "${flags}": it is neither --name nor --name <value>`, {
        remediation: "Write flags in kebab-case, such as --specs-dir <dir>; --no-… cannot be one.",
      });
    }
    const [flag = ""] = spellingsOf(flags);
    if (taken.has(flag)) {
      throw internal(`Cannot add the option ${flag}: every command has one of that name`, {
        remediation: "Give the option another name in flags.",
      });
    }
    taken.add(flag);
  }
}

/** Refuses an action that would be given by an option of the program: nobody could tell the two apart. */
export function checkParameters(
  action: PreparedAction,
  options: readonly Pick<ProgramOption, "flags">[],
): void {
  if (options.length === 0) return;
  const taken = new Set(options.flatMap(({ flags }) => spellingsOf(flags)));
  for (const { key, flags, negations, contested } of toCliOptions(action)) {
    const clash = [...flags, ...negations, ...contested].find((flag) => taken.has(flag));
    if (clash === undefined) continue;
    throw internal(
      `Cannot place ${action.label} on the command line: its parameter ${key} is written ${clash}, an option of the program`,
      { remediation: "Give the parameter or the option of the program another name." },
    );
  }
}
