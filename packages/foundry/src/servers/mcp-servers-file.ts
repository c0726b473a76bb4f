import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import { parseJson } from "../files/parse-json.ts";
import type { Environment } from "./expand-variables.ts";
import { toFileError, toSchemaError, wanted } from "./schema-problems.ts";
import { parseServerEntry } from "./server-entry.ts";
import { type ServerTarget, toServerTarget } from "./server-target.ts";

/** The servers of a file; what is wrong with one of them is said when that one is asked for. */
export interface McpServers {
  readonly file: string;
  readonly names: readonly string[];
  /** What to connect to for one of the names. */
  toTarget(name: string): ServerTarget;
}

const servers = z.record(z.string(), z.unknown(), wanted("an object of servers by name"));
const fileSchema = z.object(
  { mcpServers: servers.optional(), servers: servers.optional() },
  wanted("an object"),
);

/** Reads a file of servers as clients keep it: `mcpServers` of `.mcp.json`, or `servers` of VS Code. */
export function parseMcpServers(
  text: string,
  { file, env }: { readonly file: string; readonly env: Environment },
): McpServers {
  const origin = `the server file ${JSON.stringify(file)}`;
  const { success, data, error } = fileSchema.safeParse(parseJson(text, origin));
  if (!success) throw toSchemaError(origin, error.issues);
  const key = data.mcpServers === undefined ? "servers" : "mcpServers";
  const entries = new Map(Object.entries(data[key] ?? {}));
  if (data[key] === undefined) {
    throw toFileError(origin, [
      { field: "mcpServers", constraint: "required", message: "mcpServers is required and not there" },
    ]);
  }
  return {
    file,
    names: [...entries.keys()],
    toTarget(name) {
      const entry = entries.get(name);
      if (entry === undefined) throw unknownServer(file, name, [...entries.keys()]);
      const path = [key, name];
      return toServerTarget(parseServerEntry(entry, origin, path), { origin, path, env });
    },
  };
}

/** The server of a name, or the only one where no name is given. */
export function findServer(servers: McpServers, name: string | undefined): ServerTarget {
  const [first, second] = servers.names;
  if (name !== undefined) return servers.toTarget(name);
  if (first === undefined) throw noServers(servers.file);
  if (second === undefined) return servers.toTarget(first);
  const names = toList(servers.names);
  throw validationError(
    { field: "server", constraint: "required", expected: servers.names },
    {
      message: `Cannot choose a server of ${JSON.stringify(servers.file)}: it defines ${servers.names.length}, and none is named`,
      remediation: `Name one of its servers: ${names}.`,
    },
  );
}

function unknownServer(file: string, name: string, names: readonly string[]): ContractError {
  if (names.length === 0) return noServers(file);
  return notFound("server", name, {
    details: { field: "server" },
    remediation: `Name one of the servers that ${JSON.stringify(file)} defines: ${toList(names)}.`,
  });
}

function noServers(file: string): ContractError {
  return new ContractError(`Cannot choose a server of ${JSON.stringify(file)}: it defines none`, {
    errorCode: "NOT_FOUND",
    remediation: `Define a server under mcpServers in ${JSON.stringify(file)}.`,
    details: { field: "server" },
  });
}

function toList(names: readonly string[]): string {
  const told = names.slice(0, 20).map((name) => name.slice(0, 100).toWellFormed());
  return `${told.join(", ")}${names.length > 20 ? ` and ${names.length - 20} more` : ""}`;
}
