import { readFile } from "node:fs/promises";
import { ContractError, isRecord } from "@foundry-mcp/contract";
import { unlessMissing } from "@foundry-mcp/toolkit/files";
import { toFileError } from "../files/durable/file-error.ts";
import { nodeFileSystem } from "../files/durable/node-file-system.ts";
import { createFile, replaceFile } from "../files/durable/write-file.ts";
import type { Edit } from "../files/json-text/edit.ts";
import { editText } from "../files/json-text/edit-text.ts";
import { parseJson } from "../files/parse-json.ts";

const server = { command: "npx", args: ["foundry-mcp"] };
const fileName = ".mcp.json";

/** The `.mcp.json` of a workspace, in which clients look for servers. */
export interface ClientConfig {
  /** True where it contains the server. */
  readonly isComplete: boolean;
  /** Adds the server, and changes nothing else in the file. */
  complete(): Promise<void>;
}

/** Reads the file; throws where it is invalid, before anything is created. */
export async function readClientConfig(path: string): Promise<ClientConfig> {
  const bytes = await unlessMissing(readFile(path)).catch((err: unknown) => {
    throw toFileError(err, `read "${fileName}"`, fileName);
  });
  if (bytes === undefined) {
    const text = `${JSON.stringify({ mcpServers: { "foundry-mcp": server } }, null, 2)}\n`;
    return {
      isComplete: false,
      complete: () => createFile(nodeFileSystem, path, [Buffer.from(text)]),
    };
  }
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
    complete: () => replaceFile(nodeFileSystem, path, editText(bytes, [edit]).chunks),
  };
}

function invalidConfig(why: string): ContractError {
  return new ContractError(`Cannot add the server to "${fileName}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation: `Make mcpServers in ${fileName} an object of servers by name, or move the file away; then run foundry-cli init again.`,
    details: { path: fileName },
  });
}
