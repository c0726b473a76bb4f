import { dirname, resolve } from "node:path";
import { validationError } from "@foundry-mcp/contract";
import { resolveLinks } from "@foundry-mcp/toolkit/files";
import { confinePath } from "./confine-path.ts";
import { findUpwards } from "./find-upwards.ts";
import { readSettingsFile, type SettingsFile } from "./read-settings-file.ts";
import type { RefusedSetting } from "./refused-setting.ts";
import {
  maySet,
  type SettingName,
  type SettingSource,
  type Settings,
  settingNames,
  settings,
  toOption,
  toPrintable,
} from "./settings.ts";
import { settingsFileName, toUserSettingsFile } from "./user-folders.ts";

/** The sources of settings. */
export interface SettingSources {
  /** Options of the command line, as text. */
  readonly options?: Readonly<Partial<Record<SettingName, string>>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder from which `foundry.toml` is searched upwards. */
  readonly cwd: string;
}

/** The effective settings, and the origin of each. */
export interface LoadedSettings {
  readonly values: Settings;
  /** `--specs-dir`, `FOUNDRY_SPECS_DIR`, the path of a file, or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
  /** The files that were read. */
  readonly files: readonly string[];
  /** The path of the user's own file, which need not exist; undefined where the user has no home folder. */
  readonly userFile: string | undefined;
  /** The settings of the workspace's file that would count if a workspace might set them. */
  readonly refused: readonly RefusedSetting[];
}

/** Loads the settings; precedence: options, environment, file of the workspace, file of the user, defaults. */
export async function loadSettings({ options = {}, env, cwd }: SettingSources): Promise<LoadedSettings> {
  const userFile = toUserSettingsFile(env);
  const layers = await readLayers(cwd, userFile);
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins: Partial<Record<SettingName, string>> = {};
  for (const name of settingNames) {
    const [value, origin] = findValue(name, { options, env, cwd }, layers, userFile);
    values[name] = value;
    origins[name] = origin;
  }
  return {
    values: values as Settings,
    origins: origins as Record<SettingName, string>,
    files: layers.map(({ path }) => path),
    userFile,
    refused: layers
      .flatMap((layer) => refusedIn(layer, userFile))
      .filter(({ name }) => !isTyped(name, origins[name])),
  };
}

/** Whether a value comes from an option or a variable. */
function isTyped(name: SettingName, origin: string | undefined): boolean {
  return origin !== undefined && (origin === toOption(name) || origin === settings[name].env);
}

interface Layer extends SettingsFile {
  readonly source: SettingSource;
}

async function readLayers(cwd: string, userFile: string | undefined): Promise<readonly Layer[]> {
  const found = findUpwards(cwd, settingsFileName);
  // A user who stands in the folder of the own settings has no workspace there.
  const workspace = found !== undefined && isSamePath(found, userFile) ? undefined : found;
  const paths = [
    ["workspace", workspace],
    ["user", userFile],
  ] as const;
  const layers: Layer[] = [];
  for (const [source, path] of paths) {
    const file = path === undefined ? undefined : await readSettingsFile(path, source);
    if (file !== undefined) layers.push({ ...file, source });
  }
  return layers;
}

function isSamePath(path: string, other: string | undefined): boolean {
  if (other === undefined || path === other) return path === other;
  const real = resolveLinks(path);
  return real !== undefined && real === resolveLinks(other);
}

function refusedIn({ path, values, source }: Layer, userFile: string | undefined): readonly RefusedSetting[] {
  return settingNames
    .filter((name) => Object.hasOwn(values, name) && !maySet(source, name))
    .map((name) => ({ name, file: path, userFile }));
}

/** Returns the value of a setting and its origin. */
function findValue(
  name: SettingName,
  { options, env, cwd }: SettingSources,
  layers: readonly Layer[],
  userFile: string | undefined,
): readonly [unknown, string] {
  const { env: variable, default: defaultValue } = settings[name];
  const texts =
    variable === undefined
      ? []
      : ([
          [toOption(name), options?.[name]],
          [variable, env[variable] === "" ? undefined : env[variable]],
        ] as const);
  for (const [origin, text] of texts) {
    if (text === undefined) continue;
    const value = parseValue(name, text, origin);
    return [isPath(name, value) ? resolve(cwd, value) : value, origin];
  }
  const layer = layers.find(({ values, source }) => Object.hasOwn(values, name) && maySet(source, name));
  if (layer === undefined) return [defaultValue, "default"];
  const { path: file, source } = layer;
  const value = check(name, layer.values[name], file);
  if (!isPath(name, value)) return [value, file];
  const isConfined = source === "workspace";
  return [isConfined ? confinePath({ name, value, file, userFile }) : resolve(dirname(file), value), file];
}

function isPath(name: SettingName, value: unknown): value is string {
  return "isPath" in settings[name] && typeof value === "string";
}

/** Parses the text of an option or a variable as number or list, or keeps it where only the text is valid. */
function parseValue(name: SettingName, text: string, origin: string): unknown {
  const schema = settings[name].schema();
  const isText = !schema.safeParse(fromText(text)).success && schema.safeParse(text).success;
  return check(name, isText ? text : fromText(text), origin);
}

/** Converts text to a number, a boolean or a list where it looks like one. */
function fromText(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  return text.includes(",") ? text.split(",").map((each) => each.trim()) : text;
}

function check(name: SettingName, value: unknown, origin: string): unknown {
  const schema = settings[name].schema();
  const parsed = schema.safeParse(value);
  // A single name is a list of one.
  const listed = parsed.success || typeof value !== "string" ? parsed : schema.safeParse([value]);
  if (listed.success) return listed.data;
  const [issue] = parsed.error?.issues ?? [];
  throw validationError(
    {
      field: name,
      constraint: "setting",
      expected: settings[name].about,
      received: toPrintable(name, value),
    },
    {
      message: `Cannot use the setting ${name} of ${origin}: ${issue?.message ?? "it is not valid"}`,
      remediation: `Set ${name} in ${origin} to what it takes. ${settings[name].about}.`,
    },
  );
}
