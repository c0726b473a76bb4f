import type { ProgramCommand, ProgramOption } from "@foundry-mcp/toolkit/cli";
import type { LoadedSettings } from "../config/load-settings.ts";
import {
  commandSettings,
  optionSettings,
  type SettingName,
  settings,
  toOption,
  toOptionName,
} from "../config/settings.ts";
import type { UsedSettings } from "../config/used-settings.ts";

/** What the program commands depend on. */
export interface CommandDeps {
  /** Loads the settings with the flags that have been parsed so far. */
  readonly load: () => Promise<LoadedSettings>;
  readonly flags: Partial<Record<SettingName, string>>;
  readonly cwd: string;
  /** The settings that were read so far. */
  readonly used: UsedSettings;
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The options of every command, with their placeholders: they say where the specs are. */
const storeOptions: Readonly<Record<(typeof commandSettings)[number], readonly [string, string]>> = {
  specs_dir: ["dir", "The folder with the specs"],
  store: ["place", "Where they are kept: file, postgres, or postgres://…"],
  workspace: ["name", "Which workspace of the database"],
};

/** The settings that `serve` alone takes as options. */
const serveSettings: readonly SettingName[] = optionSettings.filter(
  (name) => !commandSettings.some((each) => each === name),
);

/** Creates the options of every command; their values are stored in `flags`. */
export function createProgramOptions(flags: CommandDeps["flags"]): readonly ProgramOption[] {
  return commandSettings.map((name) => {
    const [placeholder, description] = storeOptions[name];
    return {
      flags: `${toOption(name)} <${placeholder}>`,
      description,
      onValue: (value) => {
        if (value !== undefined) flags[name] = value;
      },
    };
  });
}

/** Creates the commands that call no tool: `serve` and `watch` run until they are stopped. */
export function createProgramCommands(deps: CommandDeps): readonly ProgramCommand[] {
  return [serveCommand(deps), watchCommand(deps)];
}

function serveCommand({ load, flags, cwd }: CommandDeps): ProgramCommand {
  return {
    name: "serve",
    description: "Serve MCP and HTTP on this machine",
    options: serveSettings.map((name) => ({
      flags: `${toOption(name)} <value>`,
      description: settings[name].about,
    })),
    async run(values) {
      for (const name of serveSettings) {
        const value = values[toOptionName(name)];
        if (typeof value === "string") flags[name] = value;
      }
      const { serveWorkspace } = await import("../app/serve-workspace.ts");
      await serveWorkspace(await load(), cwd);
    },
  };
}

function watchCommand({ load, cwd, used }: CommandDeps): ProgramCommand {
  return {
    name: "watch",
    description: "See specs change: a live view, or into a pipe a line of JSON for each change",
    arguments: [{ name: "spec_id", description: "Only this spec" }],
    options: [
      {
        flags: "--count <n>",
        description: "End after so many lines; a live view ends with q",
        check: (text) => (isCount(text) ? undefined : "It must be a whole number from 1 on."),
      },
    ],
    async run({ spec_id: specId, count }) {
      const [{ runWatch }, { openWorkspace }] = await Promise.all([
        import("../specs/watch/run-watch.ts"),
        import("../app/open-workspace.ts"),
      ]);
      const workspace = openWorkspace(load, cwd);
      const ending = new AbortController();
      const end = () => ending.abort();
      for (const name of signals) process.on(name, end);
      try {
        const store = await workspace.store();
        for (const { message } of used.warnings) process.stderr.write(`Warning: ${message}\n`);
        await runWatch({
          store,
          specId: typeof specId === "string" ? specId : undefined,
          count: count === undefined ? undefined : Number(count),
          stdout: process.stdout,
          stdin: process.stdin,
          env: process.env,
          signal: ending.signal,
          now: () => new Date().toISOString(),
          onReady: () => process.stderr.write("Watching; a line for each change. Ctrl-C ends.\n"),
        });
      } finally {
        for (const name of signals) process.off(name, end);
        await workspace.close();
      }
    },
  };
}

function isCount(text: string): boolean {
  const count = Number(text);
  return Number.isSafeInteger(count) && count >= 1;
}
