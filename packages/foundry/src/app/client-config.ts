import { dirname } from "node:path";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { createWorkspaceFiles, toFileError, unlessMissing } from "@foundry-mcp/toolkit/files";
import { createFile, replaceFile } from "../files/durable/write-file.ts";
import type { Edit } from "../files/json-text/edit.ts";
import { editText } from "../files/json-text/edit-text.ts";
import { parseJson } from "../files/parse-json.ts";

const server = { command: "npx", args: ["foundry-mcp"] };
const fileName = ".mcp.json";
const maxBytes = 10 * 2 ** 20;

/** The `.mcp.json` of a workspace, in which clients look for servers. */
export interface ClientConfig {
  /** True where it contains the server. */
  readonly isComplete: boolean;
  /** Adds the server, and changes nothing else in the file. */
  complete(): Promise<void>;
}

/** Reads the file; throws where it is invalid, before anything is created. */
export async function readClientConfig(path: string): Promise<ClientConfig> {
  const files = createWorkspaceFiles({ root: dirname(path) });
  const file = await unlessMissing(files.readFile(path, maxBytes)).catch((err: unknown) => {
    throw toFileError(err, `read "${fileName}"`, fileName);
  });
  if (file === undefined) {
    const text = `${JSON.stringify({ mcpServers: { "foundry-mcp": server } }, null, 2)}\n`;
    return {
      isComplete: false,
      complete: () => createFile(files, path, [Buffer.from(text)]),
    };
  }
  const { bytes } = file;
  const config = parseJson(bytes.toString(), `the file "${fileName}"`);
  if (!isRecord(config)) throw invalidConfig("its JSON is no object");
  const { mcpServers: servers } = config;
  if (servers !== undefined && !isRecord(servers)) throw invalidConfig("its mcpServers is no object");
  const edit: Edit =
    servers === undefined
      ? { op: "set", path: ["mcpServers"], value: { "foundry-mcp": server } }
      : { op: "set", path: ["mcpServers", "foundry-mcp"], value: server };
  return {
    isComplete: servers?.["foundry-mcp"] !== undefined,
    complete: () => replaceFile(files, path, editText(bytes, [edit]).chunks),
  };
}

function invalidConfig(why: string): ContractError {
  return new ContractError(`Cannot add the server to "${fileName}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Make mcpServers in ${fileName} an object of servers by name, or move the file away.`,
    details: { path: fileName },
  });
}
