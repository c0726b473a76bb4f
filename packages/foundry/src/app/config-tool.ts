import { dirname } from "node:path";
import { notFound, type UnknownRecord, validationError } from "@foundry-mcp/contract";
import { isQuotable, quoteName } from "@foundry-mcp/contract/input";
import { action, defineTool, payload, rows, suggest, type Tool } from "@foundry-mcp/toolkit";
import { findKind } from "@foundry-mcp/toolkit/files";
import {
  indent,
  type Line,
  line,
  recordsOf,
  stack,
  styled,
  textOf,
  viewOf,
  wordsOf,
} from "@foundry-mcp/toolkit/terminal";
import { z } from "zod";
import { findUpwards } from "../config/find-upwards.ts";
import { parseSetting } from "../config/load-settings.ts";
import { readSettingsFile } from "../config/read-settings-file.ts";
import { maySet, type SettingName, settingNames, settings, toPrintable } from "../config/settings.ts";
import { settingsFileName, toUserSettingsFile } from "../config/user-folders.ts";
import { type EditorTerminal, processTerminal, runEditor } from "./run-editor.ts";
import { setUserSetting, touchUserFile } from "./user-settings-file.ts";
import type { WorkspaceDeps } from "./workspace-tool.ts";

const name = () => z.string().min(1).describe("Name of the setting");

/**
 * Creates the commands for the user's settings. Only the command line has these commands, because they write the
 * user's file.
 */
export function createConfigTool(
  { load, cwd }: Pick<WorkspaceDeps, "load" | "cwd">,
  terminal: EditorTerminal = processTerminal,
): Tool {
  const userFile = () => requireUserFile(terminal.env);
  return defineTool({
    name: "config",
    version: "1.0.0",
    description: "Read and change your own settings",
    actions: {
      list: action({
        description: "List all settings, each with its value and the source of the value",
        examples: [{ title: "See all settings", args: {} }],
        output: () => payload({ settings: rows({ name: z.string(), from: z.string() }) }),
        readOnly: true,
        cli: { command: "config list", show: viewOf(() => settingsView) },
        run: async () => {
          const loaded = await load();
          return { settings: settingNames.map((each) => toRow(each, loaded)) };
        },
      }),
      get: action({
        description: "Show the value of a setting, and the source of the value",
        examples: [{ title: "See where serve listens", args: { name: "port" } }],
        input: () => z.object({ name: name() }),
        output: () => payload({ name: z.string(), from: z.string() }),
        readOnly: true,
        cli: { command: "config get", arguments: ["name"] },
        run: async (input) => toRow(requireSetting(input.name), await load()),
      }),
      set: action({
        description: "Change a setting in your own settings file, for all your projects",
        examples: [{ title: "Serve all tools", args: { name: "tools", value: "all" } }],
        input: () =>
          z.object({
            name: name(),
            value: z.string().describe("Value of the setting; separate the items of a list by commas"),
          }),
        output: () => payload({ name: z.string(), path: z.string() }),
        idempotent: true,
        cli: { command: "config set", arguments: ["name", "value"], literal: ["value"] },
        run: async (input) => {
          const setting = requireSettable(requireSetting(input.name));
          const path = userFile();
          const value = parseSetting(setting, input.value, { origin: "the command line", cwd });
          await setUserSetting(path, setting, value);
          return {
            name: setting,
            value: toPrintable(setting, value) ?? null,
            path,
            applies_to: "all your projects",
          };
        },
      }),
      unset: action({
        description: "Remove a setting from your own settings file",
        examples: [{ title: "Serve the default tools again", args: { name: "tools" } }],
        input: () => z.object({ name: name() }),
        output: () => payload({ name: z.string(), from: z.string(), path: z.string() }),
        idempotent: true,
        cli: { command: "config unset", arguments: ["name"] },
        run: async (input) => {
          const setting = requireSettable(requireSetting(input.name));
          const path = userFile();
          await setUserSetting(path, setting, undefined);
          // After the removal, another source may still set the setting.
          return { ...toRow(setting, await load()), path };
        },
      }),
      edit: action({
        description:
          "Open a settings file in $VISUAL or $EDITOR, and check the file after you close the editor",
        examples: [
          { title: "Edit your settings", args: {} },
          { title: "Edit the settings of this workspace", args: { file: "workspace" } },
        ],
        input: () =>
          z.object({
            file: z
              .enum(["user", "workspace"])
              .default("user")
              .describe("File to open: your own, or the nearest foundry.toml in this folder or above"),
          }),
        output: () => payload({ path: z.string() }),
        timeoutMs: 24 * 3_600_000,
        cli: { command: "config edit", arguments: ["file"] },
        run: async ({ file: source }) => {
          const path = source === "user" ? userFile() : requireWorkspaceFile(cwd);
          if (!terminal.isInteractive) throw noTerminal(path);
          if (source === "user") await touchUserFile(path);
          await runEditor(terminal, path);
          // Reading the settings file fails if the file is not TOML, or contains an unknown or invalid setting.
          const file = await readSettingsFile(path, source);
          await load();
          return { path, settings: Object.keys(file?.values ?? {}) };
        },
      }),
      path: action({
        description: "Show the path of your settings file",
        examples: [{ title: "Find your settings file", args: {} }],
        output: () => payload({ path: z.string(), exists: z.boolean() }),
        readOnly: true,
        cli: { command: "config path" },
        run: () => {
          const path = userFile();
          return { path, folder: dirname(path), exists: findKind(path) === "file" };
        },
      }),
    },
  });
}

function toRow(setting: SettingName, { values, origins }: Awaited<ReturnType<WorkspaceDeps["load"]>>) {
  return {
    name: setting,
    value: toPrintable(setting, values[setting]) ?? null,
    from: origins[setting],
    about: settings[setting].about,
  };
}

/** Shows each setting with its value and source, and its description below. */
function settingsView(data: UnknownRecord): readonly Line[] {
  return stack(
    ...recordsOf(data["settings"]).map((row) => {
      const value = row["value"] ?? undefined;
      return [
        line(
          styled("bold", textOf(row["name"])),
          value === undefined ? " is not set" : ` = ${wordsOf(value)}`,
          styled("dim", ` (${textOf(row["from"])})`),
        ),
        ...indent([line(textOf(row["about"]))]),
      ];
    }),
  );
}

function requireUserFile(env: EditorTerminal["env"]): string {
  const path = toUserSettingsFile(env);
  if (path === undefined) throw notFound("folder", "home", { remediation: "Set HOME or XDG_CONFIG_HOME." });
  return path;
}

function requireWorkspaceFile(cwd: string): string {
  const path = findUpwards(cwd, settingsFileName);
  if (path !== undefined) return path;
  throw notFound("file", settingsFileName, {
    remediation: `Create ${settingsFileName} in the folder of the workspace, or edit your own settings: {1}.`,
    remedy: { tool: "config", action: "edit" },
  });
}

function requireSetting(given: string): SettingName {
  const written = given.replaceAll("-", "_");
  const found = settingNames.find((each) => each === written);
  if (found !== undefined) return found;
  throw validationError(
    { field: "name", constraint: "enum", expected: settingNames, received: given },
    {
      message: isQuotable(given) ? `Cannot find the setting ${quoteName(given)}` : "Cannot find this setting",
      remediation: suggest(written, settingNames, "{1} lists them all."),
      remedy: { tool: "config", action: "list" },
    },
  );
}

/** Throws for a setting that the user's file may not set, and for a setting that consists of several values. */
function requireSettable(setting: SettingName): SettingName {
  if (maySet("user", setting) && settings[setting].env !== undefined) return setting;
  throw validationError(
    { field: "name", constraint: "setting", received: setting },
    {
      message: `Cannot set ${setting} with one value: ${settings[setting].about}`,
      remediation: "Write it into your settings file yourself: {1}.",
      remedy: { tool: "config", action: "edit" },
    },
  );
}

function noTerminal(path: string) {
  return validationError(
    { field: "terminal", constraint: "required" },
    {
      message: "Cannot open the settings: an editor needs a terminal, and there is none",
      remediation: `Edit ${path} yourself, or set one of your own settings: {1}.`,
      remedy: { tool: "config", action: "set", needs: ["name", "value"] },
    },
  );
}
