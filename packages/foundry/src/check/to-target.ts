import { ContractError, validationError } from "@foundry-mcp/contract";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { Environment } from "../servers/expand-variables.ts";
import { findServer, parseMcpServers } from "../servers/mcp-servers-file.ts";
import { parseHeader } from "../servers/parse-header.ts";
import { readTextFile } from "../servers/read-text-file.ts";
import type { ServerTarget } from "../servers/server-target.ts";
import type { CheckTarget } from "./observe/session.ts";

/** The ways to say which server is meant. */
export interface TargetWish {
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly config?: string | undefined;
  readonly server?: string | undefined;
}

/** What to connect to, and what must not be told of it. */
export async function toTarget(
  wish: TargetWish,
  env: Environment,
): Promise<CheckTarget & { readonly secrets: readonly string[] }> {
  const { label, target, secrets } = await findTarget(wish, env);
  if ("url" in target) {
    const { url, headers } = target;
    return { label, secrets, open: () => url, ...(headers === undefined ? {} : { headers }) };
  }
  // What the server writes to stderr is kept for the report: it may hold anything, and this is a terminal.
  return { label, secrets, open: (listen) => ({ ...target, stderr: listen }) };
}

async function findTarget(wish: TargetWish, env: Environment): Promise<ServerTarget> {
  const { command = [], url, header = [], config, server } = wish;
  const ways = [command.length > 0, url !== undefined, config !== undefined].filter(Boolean).length;
  if (ways !== 1) throw oneWay(ways);
  if (header.length > 0 && url === undefined)
    throw validationError(
      { field: "header", constraint: "dependency" },
      {
        message: "Headers go with a url only",
        remediation: "Add --url, or write the headers into the config.",
      },
    );
  if (server !== undefined && config === undefined)
    throw validationError(
      { field: "server", constraint: "dependency" },
      { message: "A server is named, and no config to find it in", remediation: "Add --config .mcp.json." },
    );
  const [program, ...args] = command;
  if (program !== undefined)
    return { label: toShellCommand(command), target: { command: program, args }, secrets: [] };
  if (config !== undefined) {
    const text = await readTextFile(config, "the config");
    return findServer(parseMcpServers(text, { file: config, env }), server);
  }
  const headers = header.map((each) => parseHeader(each, env));
  const entry = { url: url ?? "", headers: {} };
  const { label, target, secrets } = toUrl(entry.url);
  return {
    label,
    target: { ...target, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) },
    secrets: [...secrets, ...headers.flatMap((each) => each.secrets)],
  };
}

/** An address as it was typed; what it holds before the host and behind the path may be secret. */
function toUrl(text: string): ServerTarget & { readonly target: { readonly url: string } } {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ContractError(`Cannot check "${text.slice(0, 60)}": it is no http address`, {
      errorCode: "INVALID_FORMAT",
      remediation: "Give --url an address such as http://127.0.0.1:3000/mcp.",
      details: { field: "url", constraint: "format", expected: "an http or https address" },
    });
  }
  const { origin, pathname, password, searchParams } = new URL(text);
  const secrets = [password, ...searchParams.values()].filter((value) => value.length >= 4);
  return { label: origin + pathname, target: { url: text }, secrets };
}

function oneWay(ways: number): ContractError {
  const message = ways === 0 ? "No server is named" : "More than one server is named";
  return validationError(
    { field: "command", constraint: "required" },
    {
      message: `${message}: the check takes one command, url or config`,
      remediation:
        "Write the command behind --, as in contract check -- node server.js; or give --url, or --config .mcp.json --server NAME.",
    },
  );
}
