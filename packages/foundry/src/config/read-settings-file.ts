import { dirname } from "node:path";
import { ContractError, isContractError, type Remedy, validationError } from "@foundry-mcp/contract";
import { suggest } from "@foundry-mcp/toolkit";
import {
  createWorkspaceFiles,
  readRegularFile,
  syncCalls,
  systemErrorCode,
} from "@foundry-mcp/toolkit/files";
import { parse, TomlError } from "smol-toml";
import { programName } from "../program/program-name.ts";
import { type SettingName, settingNames } from "./settings.ts";

/** A settings file that was read. The values are not validated yet. */
export interface SettingsFile {
  readonly path: string;
  readonly values: Readonly<Partial<Record<SettingName, unknown>>>;
}

/** The file that a setting comes from: the file of the workspace, or the file of the user. */
export type SettingsFileSource = "workspace" | "user";

/** Returns the remedy for a settings file with an error: the command that opens the file in an editor. */
export function toEditRemedy(source: SettingsFileSource): Remedy {
  return { command: `${programName} config edit${source === "user" ? "" : ` ${source}`}` };
}

const maxBytes = 1_048_576;
/**
 * The maximum nesting depth of a value. Settings are texts, numbers, lists of texts and tables of texts, so a deeper
 * value is refused with an error that names the setting.
 */
const maxDepth = 16;

/**
 * Reads a settings file. Returns undefined if the file does not exist. Fails for an unknown key, and suggests the
 * nearest known key.
 */
export async function readSettingsFile(
  path: string,
  source: SettingsFileSource,
): Promise<SettingsFile | undefined> {
  const text = await readText(path, source);
  if (text === undefined) return undefined;
  const values = parseToml(text, path, source);
  const unknown = Object.keys(values).find((key) => !isSettingName(key));
  if (unknown !== undefined) throw unknownSetting(unknown, path, source);
  return { path, values };
}

function isSettingName(key: string): key is SettingName {
  return (settingNames as readonly string[]).includes(key);
}

function unknownSetting(key: string, path: string, source: SettingsFileSource): ContractError {
  // The error repeats a key of an untrusted file only if it looks like a key.
  const isNamed = /^[\w-]{1,64}$/.test(key);
  const shown = isNamed ? key : `a key of ${key.length} characters`;
  return validationError(
    { field: shown, constraint: "unknown", expected: settingNames },
    {
      message: `Cannot use ${path}: it sets ${shown}, which is not a setting`,
      remediation: `${isNamed ? suggest(key, settingNames) : `Use one of: ${settingNames.join(", ")}.`} Correct the file: {1}.`,
      remedy: toEditRemedy(source),
    },
  );
}

function parseToml(
  text: string,
  path: string,
  source: SettingsFileSource,
): Readonly<Record<string, unknown>> {
  try {
    return parse(text, { maxDepth });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    const { line, column } = cause;
    throw new ContractError(
      `Cannot read ${path}: line ${line}, column ${column} is no TOML: ${toReason(cause)}`,
      {
        errorCode: "INVALID_FORMAT",
        remediation: `Fix line ${line}: {1}.`,
        remedy: toEditRemedy(source),
        // The cause is omitted because it quotes the line, which may contain a token.
        details: { field: path, constraint: "toml", line, column },
      },
    );
  }
}

/** Returns the first line of the message, which never quotes the file. The lines below it quote the file. */
function toReason({ message }: TomlError): string {
  const [reason = ""] = message.split("\n");
  return reason.replace("Invalid TOML document: ", "");
}

/** Reads a regular file. A workspace's file must not be a link that leads out of its folder. */
async function readText(path: string, source: SettingsFileSource): Promise<string | undefined> {
  try {
    const { bytes } =
      source === "workspace"
        ? await createWorkspaceFiles({ root: dirname(path), calls: syncCalls }).readFile(path, maxBytes)
        : await readRegularFile(path, maxBytes, syncCalls);
    return bytes.toString("utf8");
  } catch (cause) {
    if (isContractError(cause)) throw cause.code === "CONTENT_TOO_LARGE" ? tooLarge(path) : cause;
    const code = systemErrorCode(cause);
    if (code === "ENOENT" || code === "ENOTDIR") return undefined;
    throw new ContractError(`Cannot read the settings: ${code}`, {
      errorCode: "INVALID_PATH",
      remediation: "Make foundry.toml a readable file.",
      cause,
    });
  }
}

function tooLarge(path: string): ContractError {
  return new ContractError(`Cannot read ${path}: it has more than ${maxBytes.toLocaleString("en")} bytes`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: `Remove everything but settings from ${path}.`,
    details: { field: path, constraint: "max_bytes", expected: maxBytes },
  });
}
