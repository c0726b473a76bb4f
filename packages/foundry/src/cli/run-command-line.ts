import { serveCli } from "@foundry-mcp/toolkit/cli";
import { createCliRegistry } from "../app/create-cli-registry.ts";
import { openWorkspace } from "../app/open-workspace.ts";
import { createWorkspaceCommands } from "../app/workspace-commands.ts";
import { loadSettings } from "../config/load-settings.ts";
import type { SettingName } from "../config/settings.ts";
import { ownCommands } from "./own-commands.ts";
import { toPresentWords } from "./present-words.ts";

/** Runs the words of this process as a command of Foundry, and ends the process with its exit code. */
export async function runCommandLine(): Promise<void> {
  const flags: Partial<Record<SettingName, string>> = {};
  const cwd = process.cwd();
  const load = () => loadSettings({ flags, env: process.env, cwd });
  const workspace = openWorkspace(async () => (await load()).values, cwd, { isBrief: true });

  const running = {
    programs: async () => (await load()).values.verify_programs,
    specsFolder: workspace.specsFolder,
  };
  const commands = () => createWorkspaceCommands({ cwd, load, workspace });
  await serveCli(() => createCliRegistry(workspace, commands(), running), {
    name: "foundry-cli",
    argv: toPresentWords(process.argv.slice(2)),
    options: [
      {
        flags: "--specs-dir <dir>",
        description: "The folder with the specs",
        hear: (value) => {
          if (value !== undefined) flags.specs_dir = value;
        },
      },
    ],
    commands: ownCommands({ load, flags, cwd }),
  });
}
