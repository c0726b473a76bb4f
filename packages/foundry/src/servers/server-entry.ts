import { ContractError } from "@foundry-mcp/contract";
import { z } from "zod";
import { toFileError, toPlaceName, toSchemaError, wanted } from "./schema-problems.ts";

const text = z.string(wanted("a text")).min(1, { error: "must not be empty" });
const texts = z.record(z.string(), z.string(wanted("a text")), wanted("an object of texts"));

const commandSchema = z.object({
  command: text,
  args: z.array(z.string(wanted("a text")), wanted("a list of texts")).default([]),
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
  wanted("an object"),
);

/** A server that is a command, as it is written. */
export type CommandEntry = z.infer<typeof commandSchema>;
/** A server that has an address, as it is written. */
export type UrlEntry = z.infer<typeof urlSchema>;

/** Reads one server of a file; `path` is its place there. */
export function parseServerEntry(
  value: unknown,
  origin: string,
  path: readonly string[],
): CommandEntry | UrlEntry {
  const parse = <T>(schema: z.ZodType<T>): T => {
    const { success, data, error } = schema.safeParse(value);
    if (success) return data;
    const issues = error.issues.map((issue) => ({ ...issue, path: [...path, ...issue.path] }));
    throw toSchemaError(origin, issues);
  };
  const { type, command, url } = parse(typeSchema);
  if (type === "sse") throw outdated(origin, toPlaceName([...path, "type"]));
  if (type !== undefined) return type === "stdio" ? parse(commandSchema) : parse(urlSchema);
  if ((command === undefined) !== (url === undefined)) {
    return url === undefined ? parse(commandSchema) : parse(urlSchema);
  }
  const field = toPlaceName(path);
  const has = url === undefined ? "has neither command nor url" : "has a command and a url";
  throw toFileError(origin, [
    { field, constraint: "choice", message: `${field} ${has}, wanted one of them` },
  ]);
}

function outdated(origin: string, field: string): ContractError {
  return new ContractError(`Cannot read ${origin}: ${field} is "sse", which is not supported`, {
    errorCode: "NOT_IMPLEMENTED",
    remediation: `Set ${field} to "http" with the address of the server's Streamable HTTP endpoint, often /mcp instead of /sse.`,
    details: { field, constraint: "enum", received: "sse", expected: ["stdio", "http", "streamable-http"] },
  });
}
