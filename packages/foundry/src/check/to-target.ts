import { ContractError, validationError } from "@foundry-mcp/contract";
import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { Environment } from "../servers/expand-variables.ts";
import { findServer, parseMcpServers } from "../servers/mcp-servers-file.ts";
import { parseHeader } from "../servers/parse-header.ts";
import { readTextFile } from "../servers/read-text-file.ts";
import { minSecretLength } from "../servers/redact.ts";
import type { ServerTarget } from "../servers/server-target.ts";
import { moveUserInfo } from "../servers/url-user-info.ts";
import type { CheckTarget } from "./observe/session.ts";

/** The options that specify a server. */
export interface TargetOptions {
  readonly command?: readonly string[] | undefined;
  readonly url?: string | undefined;
  readonly header?: readonly string[] | undefined;
  readonly config?: string | undefined;
  readonly server?: string | undefined;
}

/** Returns the server to connect to and the secrets in its configuration. */
export async function toTarget(
  options: TargetOptions,
  env: Environment,
): Promise<CheckTarget & { readonly secrets: readonly string[] }> {
  const { label, target, secrets } = await findTarget(options, env);
  if ("url" in target) {
    const { url, headers, secrets: found } = moveUserInfo(target);
    const sent = Object.keys(headers).length === 0 ? {} : { headers };
    return {
      label,
      secrets: [...secrets, ...found],
      open: () => (target.isSse === true ? { sse: url } : url),
      ...sent,
    };
  }
  // The server's stderr is captured, because it may contain control characters and the stderr of the checker is a
  // terminal.
  return { label, secrets, open: (listen) => ({ ...target, stderr: listen }) };
}

async function findTarget(options: TargetOptions, env: Environment): Promise<ServerTarget> {
  const { command = [], url, header = [], config, server } = options;
  const ways = [command.length > 0, url !== undefined, config !== undefined].filter(Boolean).length;
  if (ways !== 1) throw targetCountError(ways);
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
  const { label, target, secrets } = toUrl(url ?? "");
  return {
    label,
    target: { ...target, headers: Object.fromEntries(headers.map(({ name, value }) => [name, value])) },
    secrets: [...secrets, ...headers.flatMap((each) => each.secrets)],
  };
}

/** Parses a URL. Its password and the values of its query are treated as secrets, and are left out of the label. */
function toUrl(text: string): ServerTarget & { readonly target: { readonly url: string } } {
  if (!URL.canParse(text) || !/^https?:$/.test(new URL(text).protocol)) {
    throw new ContractError(`Cannot check "${text.slice(0, 60)}": it is no http address`, {
      errorCode: "INVALID_FORMAT",
      remediation: "Give --url an address such as http://127.0.0.1:3000/mcp.",
      details: { field: "url", constraint: "format", expected: "an http or https address" },
    });
  }
  const { origin, pathname, password, searchParams } = new URL(text);
  const secrets = [password, ...searchParams.values()].filter((value) => value.length >= minSecretLength);
  return { label: origin + pathname, target: { url: text }, secrets };
}

function targetCountError(ways: number): ContractError {
  if (ways > 1)
    return validationError(
      { field: "command", constraint: "conflict" },
      {
        message: "More than one server is named: the check takes one command, url or config",
        remediation: "Give one of the three: the command behind --, or --url, or --config with --server.",
      },
    );
  return validationError(
    { field: "command", constraint: "required" },
    {
      message: "No server is named: the check takes one command, url or config",
      remediation:
        "Write the command behind --, as in contract check -- node server.js; or give --url, or --config .mcp.json --server NAME.",
    },
  );
}
