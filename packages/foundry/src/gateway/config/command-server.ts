import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { Environment } from "../../servers/expand-variables.ts";
import { isSecretName } from "../../servers/redact.ts";
import type { ServerTarget } from "../../servers/server-target.ts";
import { nameOfCommand } from "./command-name.ts";

/**
 * The minimum length of a secret of the gateway's own environment; longer than for a server file, because nobody chose
 * these variables for the server, and a short value occurs in other texts by chance.
 */
const minSecretLength = 8;

/** The variable with the token of the gateway itself, which is not passed on to a server. */
const ownToken = "FOUNDRY_TOKEN";

/**
 * Returns the server that a command starts. The server gets the environment of the gateway without the token of the
 * gateway, because the command was typed where its variables are set, and a client that starts the gateway in place of
 * the server sets the server's variables.
 */
export function toCommandServer(
  command: readonly [program: string, ...args: string[]],
  env: Environment,
): { readonly name: string; readonly target: ServerTarget } {
  const [program, ...args] = command;
  const variables = Object.entries(env).flatMap(([name, value]): [string, string][] =>
    value === undefined || name === ownToken ? [] : [[name, value]],
  );
  const secrets = variables.flatMap(([name, value]) =>
    isSecretName(name) && value.length >= minSecretLength ? [value] : [],
  );
  return {
    name: nameOfCommand(command),
    target: {
      label: toShellCommand(command),
      target: { command: program, args, env: Object.fromEntries(variables) },
      secrets: [...new Set(secrets)],
    },
  };
}
