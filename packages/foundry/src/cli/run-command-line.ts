import { serveCli } from "@foundry-mcp/toolkit/cli";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";
import { type LoadedSettings, loadSettings } from "../config/load-settings.ts";
import { type SettingName, settings } from "../config/settings.ts";
import { UsedSettings } from "../config/used-settings.ts";
import { programName } from "../program/program-name.ts";
import { commandGroups } from "./command-groups.ts";
import { toHomePage } from "./home-page.ts";
import { createIdResolvers } from "./id-resolvers.ts";
import { type CommandDeps, createProgramCommands, createProgramOptions } from "./program-commands.ts";
import { refusals } from "./refused-words.ts";
import { replaceRenamedCommand } from "./renamed-commands.ts";
import { synonymAdvice, synonymCommands } from "./synonyms.ts";

/** The arguments of a command line, and the program that runs `serve`. */
export interface CommandLine extends Pick<CommandDeps, "serve"> {
  /**
   * The words of the command line.
   * @default the words of the process
   */
  readonly argv?: readonly string[] | undefined;
  /**
   * The tool of each command, which the bundled program passes.
   * @default an empty table, so that every command creates all tools
   */
  readonly toolOf?: Readonly<Record<string, string>> | undefined;
}

/** Runs the command line of this process, and ends the process with the exit code of the command. */
export async function runCommandLine({ argv, serve, toolOf }: CommandLine = {}): Promise<void> {
  const flags: Partial<Record<SettingName, string>> = {};
  const cwd = process.cwd();
  const used = new UsedSettings();
  let isReference = false;
  const load = async () => {
    const loading = await loadSettings({ options: flags, env: process.env, cwd });
    isReference = loading.values.tools === "reference";
    return used.watch(loading);
  };
  // The settings that were read to choose the output format are also used to open the store.
  let loaded: Promise<LoadedSettings> | undefined;
  const loadOnce = () => {
    loaded ??= load();
    return loaded;
  };
  const workspace = openWorkspace(loadOnce, cwd, { isOneShot: true });
  const open = (tool?: string) =>
    createCliRegistry(
      { load, cwd, workspace, warnings: () => used.warnings, isReference: () => isReference },
      tool,
    );
  await serveCli(open, {
    name: programName.split(" ").at(-1) ?? programName,
    command: programName,
    about:
      "Plan software as specs, and let people and agents work through their tasks. Without a command, foundry-mcp serves MCP over stdio.",
    argv: replaceRenamedCommand(argv ?? process.argv.slice(2)),
    options: createProgramOptions(flags),
    output: async () => (await loadOnce()).values.output,
    outputVariable: settings.output.env,
    groups: commandGroups,
    resolvers: createIdResolvers({ workspace, env: process.env }),
    // Only a line that is refused needs these texts.
    get refusals() {
      return { ...synonymAdvice, ...refusals };
    },
    synonyms: synonymCommands,
    parts: toolOf === undefined ? undefined : { toolOf, open },
    home: () => toHomePage(workspace),
    commands: createProgramCommands({ load, flags, cwd, used, serve }),
  });
}
