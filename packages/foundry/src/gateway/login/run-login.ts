import { type ContractError, validationError } from "@foundry-mcp/contract";
import { type LoginOptions, login } from "@foundry-mcp/toolkit/client";
import type { Environment } from "../../servers/expand-variables.ts";
import { expandVariables } from "../../servers/expand-variables.ts";
import type { ServerTarget } from "../../servers/server-target.ts";
import { moveUserInfo } from "../../servers/url-user-info.ts";
import type { ServerRule } from "../config/gateway-config.ts";
import { FileLoginStore } from "./file-login-store.ts";

/** The server at which to log in, with its login settings. */
export interface LoginTarget {
  readonly name: string;
  readonly target: ServerTarget;
  readonly rule: ServerRule | undefined;
  /** The folder of the user's settings. */
  readonly folder: string;
  readonly env: Environment;
}

/** Logs in at a server with OAuth and stores the tokens, which the gateway then uses. */
export async function runLogin(
  { name, target: { target }, rule, folder, env }: LoginTarget,
  open: LoginOptions["open"],
): Promise<void> {
  if (!("url" in target)) throw noLogin(name);
  const { client_id: id, client_secret: written, scope, port } = rule?.login ?? {};
  const secret = written === undefined ? undefined : expandVariables(written, env).text;
  const { url } = moveUserInfo(target);
  const store = new FileLoginStore(folder, url, "");
  await login(url, store, { open, scope, port, ...(id === undefined ? {} : { client: { id, secret } }) });
}

function noLogin(name: string): ContractError {
  return validationError(
    { field: "name", constraint: "choice" },
    {
      message: `Cannot log in at ${name}: it is started by a command`,
      remediation: "Name a server with a url, or give the command its token in env.",
    },
  );
}
