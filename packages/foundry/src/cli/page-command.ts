import type { ProgramCommand } from "@foundry-mcp/toolkit/cli";
import { type SettingName, settings, toOption, toOptionName } from "../config/settings.ts";
import { programName } from "../program/program-name.ts";
import type { CommandDeps } from "./program-commands.ts";
import { toOptionLine } from "./to-option-line.ts";

/** The settings that `page` takes as options. */
const pageSettings = ["host", "port", "log_level"] as const satisfies readonly SettingName[];

/** Creates the command `page`, which opens the page of the workspace in the browser. */
export function createPageCommand({ load, flags, cwd }: CommandDeps): ProgramCommand {
  return {
    name: "page",
    description:
      "Open the page of this workspace in your browser; if no server runs, run one until it is stopped",
    options: [
      { flags: "--no-open", description: "Print the address of the page, and open no browser" },
      ...pageSettings.map((name) => ({
        flags: `${toOption(name)} <value>`,
        description: settings[name].about,
      })),
    ],
    async run(values, { output }) {
      for (const name of pageSettings) {
        const value = values[toOptionName(name)];
        if (typeof value === "string") flags[name] = value;
      }
      const typed = { ...flags };
      const { runPage } = await import("../app/run-page.ts");
      await runPage(await load(), cwd, {
        opens: values["no-open"] !== true,
        output,
        words: {
          toPortCommand: (port) =>
            toOptionLine([...programName.split(" "), "page"], { ...typed, port: String(port) }),
        },
        loadWithPort: (port) => {
          flags.port = String(port);
          return load();
        },
      });
    },
  };
}
