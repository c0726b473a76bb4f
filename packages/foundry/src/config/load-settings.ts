import { dirname, resolve } from "node:path";
import { type Remedy, validationError } from "@foundry-mcp/contract";
import { nearest, parseJsonText } from "@foundry-mcp/contract/input";
import { resolveLinks } from "@foundry-mcp/toolkit/files";
import { z } from "zod";
import { confinePath } from "./confine-path.ts";
import { describeIssue } from "./describe-issue.ts";
import { findUpwards } from "./find-upwards.ts";
import {
  readSettingsFile,
  type SettingsFile,
  type SettingsFileSource,
  toEditRemedy,
} from "./read-settings-file.ts";
import type { RefusedSetting } from "./refused-setting.ts";
import {
  maySet,
  type SettingName,
  type Settings,
  settingNames,
  settings,
  toOption,
  toPrintable,
} from "./settings.ts";
import { settingsFileName, toUserSettingsFile } from "./user-folders.ts";

/** The sources of settings. */
export interface SettingSources {
  /** Command-line options, as text. */
  readonly options?: Readonly<Partial<Record<SettingName, string>>> | undefined;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The folder in which the search for `foundry.toml` starts. The search continues in the folders above. */
  readonly cwd: string;
}

/** The effective settings, and the origin of each. */
export interface LoadedSettings {
  readonly values: Settings;
  /** The origin of each setting: `--specs-dir`, `FOUNDRY_SPECS_DIR`, the path of a file, or `default`. */
  readonly origins: Readonly<Record<SettingName, string>>;
  /** The files that were read. */
  readonly files: readonly string[];
  /** The path of the user's settings file, which may not exist. Undefined if the user has no home folder. */
  readonly userFile: string | undefined;
  /** The settings in the workspace's file that are ignored, because a workspace may not set them. */
  readonly refused: readonly RefusedSetting[];
}

/**
 * Loads the settings. The order of precedence is: options, environment, the workspace's file, the user's file,
 * defaults.
 */
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

/** Returns true if a value comes from a command-line option or an environment variable. */
function isTyped(name: SettingName, origin: string | undefined): boolean {
  return origin !== undefined && (origin === toOption(name) || origin === settings[name].env);
}

interface Layer extends SettingsFile {
  readonly source: SettingsFileSource;
}

async function readLayers(cwd: string, userFile: string | undefined): Promise<readonly Layer[]> {
  const found = findUpwards(cwd, settingsFileName, "anything");
  // A settings file of the user in the current folder is not treated as the file of a workspace.
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
    return [parseSetting(name, text, { origin, cwd }), origin];
  }
  const layer = layers.find(({ values, source }) => Object.hasOwn(values, name) && maySet(source, name));
  if (layer === undefined) return [defaultValue, "default"];
  const { path: file, source } = layer;
  const value = check(name, layer.values[name], file, toEditRemedy(source));
  if (!isPath(name, value)) return [value, file];
  const isConfined = source === "workspace";
  return [isConfined ? confinePath({ name, value, file, userFile }) : resolve(dirname(file), value), file];
}

function isPath(name: SettingName, value: unknown): value is string {
  return "isPath" in settings[name] && typeof value === "string";
}

/**
 * Parses the text of an option or a variable as a number, a boolean or a list. If the schema of the setting refuses the
 * parsed value and accepts the unparsed text, the function returns the text. A relative path is resolved from the
 * current folder.
 */
export function parseSetting(
  name: SettingName,
  text: string,
  { origin, cwd }: { readonly origin: string; readonly cwd: string },
): unknown {
  const schema = settings[name].schema();
  const isText = !schema.safeParse(fromText(text)).success && schema.safeParse(text).success;
  const value = check(name, isText ? text : fromText(text), origin);
  return isPath(name, value) ? resolve(cwd, value) : value;
}

/** Converts text to a number, a boolean or a list if it looks like one. */
function fromText(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
  if (text === "true" || text === "false") return text === "true";
  const listed = fromJson(text);
  if (listed !== undefined) return listed;
  return text.includes(",") ? text.split(",").map((each) => each.trim()) : text;
}

/** Returns a list written as in JSON and TOML, such as `["npm", "node"]`. Returns undefined for other texts. */
function fromJson(text: string): readonly unknown[] | undefined {
  if (!/^\s*\[/.test(text)) return undefined;
  try {
    const value: unknown = parseJsonText(text);
    return Array.isArray(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Returns the words that a setting accepts, also those in a list. */
function listWords(schema: z.ZodType): readonly string[] {
  const json = JSON.stringify(z.toJSONSchema(schema, { io: "input", unrepresentable: "any" }));
  const lists = json.matchAll(/"enum":\[([^\]]*)\]|"const":("[^"]*")/g);
  return [...lists].flatMap(([, list, word]) => (list ?? word ?? "").replaceAll('"', "").split(","));
}

function check(name: SettingName, value: unknown, origin: string, remedy?: Remedy): unknown {
  const schema = settings[name].schema();
  const parsed = schema.safeParse(value);
  // A single name is treated as a list with one item.
  const listed = parsed.success || typeof value !== "string" ? parsed : schema.safeParse([value]);
  if (listed.success) return listed.data;
  const [issue] = parsed.error?.issues ?? [];
  const guess = typeof value === "string" ? nearest(value, listWords(schema)) : undefined;
  throw validationError(
    {
      field: name,
      constraint: "setting",
      expected: settings[name].about,
      received: toPrintable(name, value),
    },
    {
      message: `Cannot use the setting ${name} of ${origin}: ${describeIssue(issue)}`,
      remediation: `${guess === undefined ? "" : `Did you mean ${guess}? `}Correct ${name} in ${origin}${remedy === undefined ? "" : ": {1}"}. ${settings[name].about}.`,
      remedy,
    },
  );
}
