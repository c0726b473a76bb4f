import { toShellCommand } from "@foundry-mcp/toolkit/cli";
import type { Environment } from "../../servers/expand-variables.ts";
import { isSecretName } from "../../servers/redact.ts";
import type { ServerTarget } from "../../servers/server-target.ts";
import { nameOfCommand } from "./command-name.ts";

/**
 * The minimum length, in characters, of an environment variable that is masked as a secret. The minimum is higher than
 * for a server file: all variables of the gateway are passed on, and a short value may occur in other texts by chance.
 */
const minSecretLength = 8;

/** The variable that holds the token of the gateway itself. It is not passed on to a server. */
const ownToken = "FOUNDRY_TOKEN";

/**
 * Returns the server that a command starts. The server receives the environment of the gateway, because a client that
 * starts the gateway instead of the server sets the variables that the server needs. Only the token of the gateway is
 * removed.
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
