import { dirname, join } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { createWorkspaceFiles, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { parse, stringify, TomlError } from "smol-toml";
import { createFile, replaceFile } from "../../files/durable/write-file.ts";
import type { Edit } from "../../files/json-text/edit.ts";
import { editText } from "../../files/json-text/edit-text.ts";
import { parseJson } from "../../files/parse-json.ts";
import { findServerCommand } from "../../program/server-command.ts";
import type { ConfigPlace } from "./agent-clients.ts";
import type { PlannedFile } from "./planned-file.ts";

const serverName = "foundry-mcp";
const maxBytes = 10 * 2 ** 20;
const maxTomlDepth = 64;

/**
 * Plans to add the server to the configuration of a client. An existing server with the same name is not changed.
 * Throws if the file is invalid.
 */
export async function planConfig(folder: string, { path, key, more }: ConfigPlace): Promise<PlannedFile> {
  const files = createWorkspaceFiles({ root: folder });
  const at = join(folder, path);
  const file = await unlessMissing(files.readFile(at, maxBytes)).catch((err: unknown) => {
    throw toFileError(err, `read "${path}"`, path);
  });
  const entry = { ...more, ...findServerCommand() };
  const table = { [key]: { [serverName]: entry } };
  const isToml = path.endsWith(".toml");
  if (file === undefined) {
    const text = isToml ? stringify(table).trimStart() : `${JSON.stringify(table, null, 2)}\n`;
    return {
      path,
      change: "create",
      write: async () => {
        await files.mkdir(dirname(at));
        await createFile(files, at, [Buffer.from(text)]);
      },
    };
  }
  const { bytes } = file;
  const config = isToml
    ? parseToml(bytes.toString(), path)
    : parseJson(bytes.toString(), `the file "${path}"`);
  if (!isRecord(config)) throw invalidConfig(path, key, "its JSON is no object");
  const servers = config[key];
  if (servers !== undefined && !isRecord(servers)) throw invalidConfig(path, key, `its ${key} is no object`);
  // A Python server under another name would change the same files.
  const warning = Object.values(servers ?? {})
    .map((each) => findPython(path, each))
    .find((found) => found !== undefined);
  if (servers?.[serverName] !== undefined) return { path, change: "keep", warning, write: async () => {} };
  const edit: Edit =
    servers === undefined
      ? { op: "set", path: [key], value: { [serverName]: entry } }
      : { op: "set", path: [key, serverName], value: entry };
  return {
    path,
    change: "add",
    warning,
    write: () => replaceFile(files, at, isToml ? appendTable(bytes, table) : editText(bytes, [edit]).chunks),
  };
}

/** Describes a server entry that starts the Python foundry-mcp. Returns undefined for any other entry. */
function findPython(path: string, entry: unknown): string | undefined {
  const { command, args = [] } = isRecord(entry) ? entry : {};
  const words = [command, ...(Array.isArray(args) ? args : [])].filter((word) => typeof word === "string");
  const isPython = words.some((word) =>
    /(?:^|[/\\])(?:python[\d.]*|uvx?|pipx)(?:\.exe)?$|foundry_mcp/.test(word),
  );
  if (!isPython) return undefined;
  const { command: ours, args: before } = findServerCommand();
  const after = JSON.stringify([...before, "--tools", "reference"]).replaceAll(",", ", ");
  return `${path} starts the Python server with ${words.join(" ")}: replace it with command ${JSON.stringify(ours)} and args ${after}`;
}

/** Finds a configuration of a client that starts the Python foundry-mcp. */
export async function findPythonServers(
  folder: string,
  places: readonly ConfigPlace[],
): Promise<readonly string[]> {
  const planned = await Promise.all(places.map((place) => planConfig(folder, place).catch(() => undefined)));
  return planned.flatMap((each) => (each?.warning === undefined ? [] : [each.warning]));
}

/** Appends a table to TOML. A table can follow any text, because the header of a table is absolute. */
function appendTable(bytes: Uint8Array, table: Parameters<typeof stringify>[0]): readonly Uint8Array[] {
  const isLineEnd = bytes.length === 0 || bytes.at(-1) === 0x0a;
  return [bytes, Buffer.from(`${isLineEnd ? "" : "\n"}\n${stringify(table).trimStart()}`)];
}

function parseToml(text: string, path: string): unknown {
  try {
    return parse(text, { maxDepth: maxTomlDepth });
  } catch (cause) {
    if (!(cause instanceof TomlError)) throw cause;
    throw new ContractError(`Cannot read "${path}": line ${cause.line}, column ${cause.column} is no TOML`, {
      errorCode: "INVALID_FORMAT",
      remediation: `Fix ${path}, or move it away.`,
      details: { path },
    });
  }
}

function invalidConfig(path: string, key: string, why: string): ContractError {
  return new ContractError(`Cannot add the server to "${path}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Make ${key} in ${path} an object of servers by name, or move the file away.`,
    details: { path },
  });
}
