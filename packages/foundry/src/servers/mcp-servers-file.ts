import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import { parseJson } from "../files/parse-json.ts";
import { expected, toConfigError, toFieldPath, toSchemaError } from "./config-errors.ts";
import type { Environment } from "./expand-variables.ts";
import { type ServerTarget, toServerTarget } from "./server-target.ts";

/** The servers of a file; an invalid entry fails only when it is requested. */
export interface McpServers {
  readonly file: string;
  readonly names: readonly string[];
  /** Returns the target of a server; throws a ContractError where its entry is invalid or missing. */
  toTarget(name: string): ServerTarget;
}

const text = z.string(expected("a text")).min(1, { error: "must not be empty" });
const texts = z.record(z.string(), z.string(expected("a text")), expected("an object of texts"));

const commandSchema = z.object({
  command: text,
  args: z.array(z.string(expected("a text")), expected("a list of texts")).default([]),
  env: texts.default({}),
  cwd: text.optional(),
});
const urlSchema = z.object({ url: text, headers: texts.default({}) });
const typeSchema = z.object(
  {
    type: z
      .enum(["stdio", "http", "streamable-http", "sse"], {
        error: "must be one of stdio, http, streamable-http",
      })
      .optional(),
    command: z.unknown().optional(),
    url: z.unknown().optional(),
  },
  expected("an object"),
);

/** The entry of a server that is a command. */
export type CommandEntry = z.infer<typeof commandSchema>;
/** The entry of a server that has a URL. */
export type UrlEntry = z.infer<typeof urlSchema>;

const servers = z.record(z.string(), z.unknown(), expected("an object of servers by name"));
const fileSchema = z.object(
  { mcpServers: servers.optional(), servers: servers.optional() },
  expected("an object"),
);

/** Parses the server file of a client: `mcpServers` of `.mcp.json`, or `servers` of VS Code. */
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
    throw toConfigError(origin, [
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

/** Returns the server of a name, or the only server where no name is given. */
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
  const shown = names.slice(0, 20).map((name) => name.slice(0, 100).toWellFormed());
  return `${shown.join(", ")}${names.length > 20 ? ` and ${names.length - 20} more` : ""}`;
}

/** Parses the entry of a server; `path` is where it stands in the file. */
function parseServerEntry(value: unknown, origin: string, path: readonly string[]): CommandEntry | UrlEntry {
  const parse = <T>(schema: z.ZodType<T>): T => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const issues = error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
    throw toSchemaError(origin, issues);
  };
  const { type, command, url } = parse(typeSchema);
  if (type === "sse") throw unsupportedSse(origin, toFieldPath([...path, "type"]));
  if (type !== undefined) return type === "stdio" ? parse(commandSchema) : parse(urlSchema);
  if ((command === undefined) !== (url === undefined)) {
    return url === undefined ? parse(commandSchema) : parse(urlSchema);
  }
  const field = toFieldPath(path);
  const has = url === undefined ? "has neither command nor url" : "has a command and a url";
  throw toConfigError(origin, [
    { field, constraint: "choice", message: `${field} ${has}, wanted one of them` },
  ]);
}

function unsupportedSse(origin: string, field: string): ContractError {
  return new ContractError(`Cannot read ${origin}: ${field} is "sse", which is not supported`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: `Set ${field} to "http" with the address of the server's Streamable HTTP endpoint, often /mcp instead of /sse.`,
    details: { field, constraint: "enum", received: "sse", expected: ["stdio", "http", "streamable-http"] },
  });
}
