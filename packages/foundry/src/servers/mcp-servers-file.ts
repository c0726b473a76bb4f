import { ContractError, notFound, validationError } from "@foundry-mcp/contract";
import { z } from "zod";
import { findDuplicateKeys } from "../files/duplicate-keys.ts";
import { parseJson } from "../files/parse-json.ts";
import { expected, toConfigError, toFieldPath, toSchemaError } from "./config-errors.ts";
import { findUnknownKeys } from "./entry-keys.ts";
import type { Environment } from "./expand-variables.ts";
import { type ServerTarget, toServerTarget } from "./server-target.ts";

/** The servers of a file. An invalid entry causes an error only when the entry is requested. */
export interface McpServers {
  readonly file: string;
  readonly names: readonly string[];
  /** Returns the target of a server. Throws a ContractError if the entry is invalid or missing. */
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
        error: "must be one of stdio, http, streamable-http, sse",
      })
      .optional(),
    command: z.unknown().optional(),
    url: z.unknown().optional(),
  },
  expected("an object"),
);

/** All keys that say how a server is started or reached. */
const entryKeys = [
  ...new Set([typeSchema, commandSchema, urlSchema].flatMap(({ shape }) => Object.keys(shape))),
];

/** The entry of a server that is a command. */
export type CommandEntry = z.infer<typeof commandSchema>;
/** The entry of a server that has a URL. */
export type UrlEntry = z.infer<typeof urlSchema> & { readonly isSse?: boolean };

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
  refuseLost(text, data, origin);
  const key = data.mcpServers === undefined ? "servers" : "mcpServers";
  const entries = new Map(Object.entries(data[key] ?? {}));
  if (data[key] === undefined) {
    throw toConfigError(origin, [
      { field: "mcpServers", constraint: "required", message: "mcpServers is missing" },
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

/** The parts of a server file that are read; other programs may keep parts of their own in the file. */
const readParts: readonly unknown[] = ["mcpServers", "servers", "gateway"];

/** Refuses a file of which a part would have no effect, such as the first of two servers of one name. */
function refuseLost(text: string, data: z.infer<typeof fileSchema>, origin: string): void {
  const problems = findDuplicateKeys(text.replace(/^\uFEFF/, ""))
    .filter(([part]) => readParts.includes(part))
    .map((path) => {
      const field = toFieldPath(path);
      return {
        field,
        constraint: "unique",
        message: `${field} is there twice, so one of them would be lost`,
      };
    });
  if (data.mcpServers !== undefined && data.servers !== undefined) {
    const message = "servers stands beside mcpServers, so its servers would be lost";
    problems.push({ field: "servers", constraint: "conflict", message });
  }
  if (problems.length > 0) throw toConfigError(origin, problems);
}

/** Returns the server with a name, or the only server if no name is given. */
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

/** Parses the entry of a server. `path` is the path of the entry in the file. */
function parseServerEntry(value: unknown, origin: string, path: readonly string[]): CommandEntry | UrlEntry {
  const parse = <T>(schema: z.ZodType<T>): T => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const issues = error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
    throw toSchemaError(origin, issues);
  };
  const { type, command, url } = parse(typeSchema);
  const unknown = findUnknownKeys(value as object, path, entryKeys);
  if (unknown.length > 0) throw toConfigError(origin, unknown);
  if (type !== undefined)
    return type === "stdio" ? parse(commandSchema) : { ...parse(urlSchema), isSse: type === "sse" };
  if ((command === undefined) !== (url === undefined)) {
    return url === undefined ? parse(commandSchema) : parse(urlSchema);
  }
  const field = toFieldPath(path);
  const has = url === undefined ? "has neither command nor url" : "has a command and a url";
  throw toConfigError(origin, [
    { field, constraint: "choice", message: `${field} ${has}, wanted one of them` },
  ]);
}
