import { serveCli } from "@foundry-mcp/toolkit/cli";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { SettingName } from "../config/settings.ts";
import { UsedSettings } from "../config/used-settings.ts";
import { programName } from "../program/program-name.ts";
import { createProgramCommands, createProgramOptions } from "./program-commands.ts";
import { replaceRenamedCommand } from "./renamed-commands.ts";

/** Runs the command line of this process, and ends the process with its exit code. */
export async function runCommandLine(): Promise<void> {
  const flags: Partial<Record<SettingName, string>> = {};
  const cwd = process.cwd();
  const used = new UsedSettings();
  const load = async () => used.watch(await loadSettings({ options: flags, env: process.env, cwd }));
  const workspace = openWorkspace(load, cwd, { isOneShot: true });
  await serveCli(() => createCliRegistry({ load, cwd, workspace, warnings: () => used.warnings }), {
    name: programName.split(" ").at(-1) ?? programName,
    command: programName,
    about:
      "Plan software as specs, and let people and agents work through their tasks. Without a command, foundry-mcp serves MCP over stdio.",
    argv: replaceRenamedCommand(process.argv.slice(2)),
    options: createProgramOptions(flags),
    commands: createProgramCommands({ load, flags, cwd, used }),
  });
}
