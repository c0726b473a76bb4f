import { dirname, join } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { createWorkspaceFiles, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { parse, stringify, TomlError } from "smol-toml";
import { createFile, replaceFile } from "../../files/durable/write-file.ts";
import type { Edit } from "../../files/json-text/edit.ts";
import { editText } from "../../files/json-text/edit-text.ts";
import { parseJson } from "../../files/parse-json.ts";
import type { ConfigPlace } from "./agent-clients.ts";
import type { PlannedFile } from "./planned-file.ts";

const serverName = "foundry-mcp";
const server = { command: "npx", args: ["foundry-mcp"] };
const maxBytes = 10 * 2 ** 20;
const maxTomlDepth = 64;

/** Plans the server in the configuration of a client; a server of that name stays as it is. Throws where the file is invalid. */
export async function planConfig(folder: string, { path, key, more }: ConfigPlace): Promise<PlannedFile> {
  const files = createWorkspaceFiles({ root: folder });
  const at = join(folder, path);
  const file = await unlessMissing(files.readFile(at, maxBytes)).catch((err: unknown) => {
    throw toFileError(err, `read "${path}"`, path);
  });
  const entry = { ...more, ...server };
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
  if (servers?.[serverName] !== undefined) return { path, change: "keep", write: async () => {} };
  const edit: Edit =
    servers === undefined
      ? { op: "set", path: [key], value: { [serverName]: entry } }
      : { op: "set", path: [key, serverName], value: entry };
  return {
    path,
    change: "add",
    write: () => replaceFile(files, at, isToml ? appendTable(bytes, table) : editText(bytes, [edit]).chunks),
  };
}

/** Appends a table to TOML: its header says where it belongs, whatever stands before it. */
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
