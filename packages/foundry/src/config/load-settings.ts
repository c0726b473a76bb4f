import { readFileSync } from "node:fs";
import { homedir } from "node:os";
import { dirname, isAbsolute, join, resolve } from "node:path";
import { ContractError, validationError } from "@foundry-mcp/contract";
import { suggest } from "@foundry-mcp/toolkit";
import { parse, TomlError } from "smol-toml";
import { findUpwards } from "./find-upwards.ts";
import { type SettingName, type Settings, settingNames, settings, toPrintable } from "./settings.ts";

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
}

const fileName = "foundry.toml";

/** Loads the settings; precedence: options, environment, file of the workspace, file of the user, defaults. */
export async function loadSettings({ options = {}, env, cwd }: SettingSources): Promise<LoadedSettings> {
  const workspace = findUpwards(cwd, fileName);
  const user = join(env["XDG_CONFIG_HOME"] ?? join(homedir(), ".config"), "foundry", fileName);
  const layers = [readLayer(workspace, true), readLayer(user, false)].filter((layer) => layer !== undefined);
  const values: Partial<Record<SettingName, unknown>> = {};
  const origins: Partial<Record<SettingName, string>> = {};
  for (const name of settingNames) {
    const [value, origin] = findValue(name, { options, env, cwd }, layers);
    values[name] = value;
    origins[name] = origin;
  }
  return {
    values: values as Settings,
    origins: origins as Record<SettingName, string>,
    files: layers.map(({ path }) => path),
  };
}

interface Layer {
  readonly path: string;
  readonly values: Readonly<Record<string, unknown>>;
}

/** Returns the value of a setting and its origin. */
function findValue(
  name: SettingName,
  { options, env, cwd }: SettingSources,
  layers: readonly Layer[],
): readonly [unknown, string] {
  const { env: variable, default: defaultValue } = settings[name];
  const option = options?.[name];
  const optionName = `--${name.replaceAll("_", "-")}`;
  if (option !== undefined) return [toPath(name, parseValue(name, option, optionName), cwd), optionName];
  const set = env[variable];
  if (set !== undefined && set !== "") return [toPath(name, parseValue(name, set, variable), cwd), variable];
  const layer = layers.find(({ values }) => Object.hasOwn(values, name));
  if (layer === undefined) return findShared(name, env) ?? [defaultValue, "default"];
  const value = check(name, layer.values[name], layer.path);
  return [toPath(name, value, dirname(layer.path)), layer.path];
}

/** Reads a shared environment variable; an invalid value is meant for another program. */
function findShared(name: SettingName, env: SettingSources["env"]): readonly [unknown, string] | undefined {
  const setting = settings[name];
  const variable = "sharedEnv" in setting ? setting.sharedEnv : undefined;
  const parsed = variable === undefined ? undefined : setting.schema().safeParse(env[variable]);
  return variable !== undefined && parsed?.success ? [parsed.data, variable] : undefined;
}

/** Parses the text of an option or a variable as number or list, or keeps it where only the text is valid. */
function parseValue(name: SettingName, text: string, origin: string): unknown {
  const schema = settings[name].schema();
  const isText = !schema.safeParse(fromText(text)).success && schema.safeParse(text).success;
  return check(name, isText ? text : fromText(text), origin);
}

/** Converts text to a number or a list where it looks like one. */
function fromText(text: string): unknown {
  if (/^-?\d+$/.test(text)) return Number(text);
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

function toPath(name: SettingName, value: unknown, base: string): unknown {
  const isPath = "isPath" in settings[name];
  return isPath && typeof value === "string" && !isAbsolute(value) ? resolve(base, value) : value;
}

function readLayer(path: string | undefined, isShared: boolean): Layer | undefined {
  const text = path === undefined ? undefined : readText(path);
  if (path === undefined || text === undefined) return undefined;
  const values = parseToml(text, path);
  for (const key of Object.keys(values)) {
    if ((settingNames as readonly string[]).includes(key)) {
      if (isShared && "isUserOnly" in settings[key as SettingName]) throw notForWorkspaces(key, path);
      continue;
    }
    throw validationError(
      { field: key, constraint: "unknown", expected: settingNames },
      {
        message: `Cannot use ${path}: it sets ${key}, which is no setting`,
        remediation: suggest(key, settingNames),
      },
    );
  }
  return { path, values };
}

function notForWorkspaces(key: string, path: string): Error {
  const { env } = settings[key as SettingName];
  return validationError(
    { field: key, constraint: "own", expected: "a setting of whoever runs the program" },
    {
      message: `Cannot use ${path}: it sets ${key}, which a workspace may not decide`,
      remediation: `Take ${key} out of it; set it in your own foundry.toml, with ${env}, or with --${key.replaceAll("_", "-")}.`,
    },
  );
}

function parseToml(text: string, path: string): Readonly<Record<string, unknown>> {
  try {
    return parse(text);
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const { line, column } = cause;
    throw new ContractError(`Cannot read ${path}: line ${line}, column ${column} is no TOML`, {
      errorCode: "INVALID_FORMAT",
      remediation: `Mend line ${line} of ${path}.`,
      details: { field: path, constraint: "toml", line, column },
      cause,
    });
  }
}

function readText(path: string): string | undefined {
  try {
    return readFileSync(path, "utf8");
  } catch (cause) {
    const { code } = cause as NodeJS.ErrnoException;
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ContractError(`Cannot read the settings: ${code}`, {
      errorCode: "INVALID_PATH",
      remediation: "Make foundry.toml a file that can be read.",
      cause,
    });
  }
}
