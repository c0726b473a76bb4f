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
import { programName } from "../program/program-name.ts";
import { createGatewayCommand } from "./gateway-command.ts";
import { createPageCommand } from "./page-command.ts";
import { toOptionLine } from "./to-option-line.ts";

/** The dependencies of the program commands. */
export interface CommandDeps {
  /** Loads the settings, including the flags parsed so far. */
  readonly load: () => Promise<LoadedSettings>;
  readonly flags: Partial<Record<SettingName, string>>;
  readonly cwd: string;
  /** Records the settings that were read so far. */
  readonly used: UsedSettings;
  /**
   * The texts and settings of a program that runs `serve` with a separate workspace.
   * @default `foundry-cli serve`
   */
  readonly serve?: ServeProgram | undefined;
}

/** A program that runs `serve`. */
export interface ServeProgram {
  /** The words before the options: `npm start --`. */
  readonly words: readonly string[];
  /** The settings that the program chooses if the user does not set them. */
  readonly flags: Partial<Record<SettingName, string>>;
  /** Returns lines that are printed after the lines on how to connect. */
  readonly toHints: (url: string) => readonly string[];
  /** How the page is opened in the browser of the user. */
  readonly page: "offer";
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The options of every command, with their placeholders. These options select the location of the specs. */
const storeOptions: Readonly<Record<(typeof commandSettings)[number], readonly [string, string]>> = {
  specs_dir: ["dir", "Use the specs in this folder (default: the nearest folder named specs)"],
  store: ["store", "Use this store: file, postgres, or postgres://user@host/database"],
  workspace: ["name", "Use this workspace of the database (default: default)"],
};

/** The settings that only `serve` takes as options. */
const serveSettings: readonly SettingName[] = optionSettings.filter(
  (name) => !commandSettings.some((each) => each === name),
);

/** Creates the options of every command. The values of the options are stored in `flags`. */
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

/** Creates the commands that do not call a tool. `serve` and `watch` run until they are stopped. */
export function createProgramCommands(deps: CommandDeps): readonly ProgramCommand[] {
  return [serveCommand(deps), createPageCommand(deps), createGatewayCommand(deps), watchCommand(deps)];
}

function serveCommand({ load, flags, cwd, serve }: CommandDeps): ProgramCommand {
  return {
    name: "serve",
    description: "Run an HTTP server until it is stopped: MCP at /mcp, and the tools at /api",
    options: [
      {
        flags: "--gateway <file>",
        description:
          "Serve the MCP servers in this file (format of .mcp.json) behind a gateway at /gateway/mcp",
      },
      ...serveSettings.map((name) => ({
        flags: `${toOption(name)} <value>`,
        description: settings[name].about,
      })),
    ],
    async run(values) {
      for (const name of serveSettings) {
        const value = values[toOptionName(name)];
        if (typeof value === "string") flags[name] = value;
      }
      const typed = { ...flags };
      const gatewayFile = typeof values["gateway"] === "string" ? values["gateway"] : undefined;
      const gatewayWords = gatewayFile === undefined ? [] : ["--gateway", gatewayFile];
      const words = serve?.words ?? [...programName.split(" "), "serve"];
      Object.assign(flags, { ...serve?.flags, ...typed });
      const { serveWorkspace } = await import("../app/serve-workspace.ts");
      await serveWorkspace(await load(), cwd, {
        toPortCommand: (port) => toOptionLine(words, { ...typed, port: String(port) }, gatewayWords),
        gatewayFile,
        toHints: serve?.toHints,
        page: serve?.page,
      });
    },
  };
}

function watchCommand({ load, cwd, used }: CommandDeps): ProgramCommand {
  return {
    name: "watch",
    description:
      "Show changes of specs as they happen; if the output is piped, print each change as a line of JSON",
    arguments: [{ name: "spec_id", description: "Show only changes of this spec" }],
    options: [
      {
        flags: "--count <n>",
        description:
          "Stop after this number of changes; has no effect on the live view, which stops when you press q",
        check: (text) => (isCount(text) ? undefined : "It must be a whole number from 1 on."),
      },
    ],
    async run({ spec_id: specId, count }, { output }) {
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
          isPlain: output === "json",
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
