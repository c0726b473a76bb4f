import { ContractError, isContractError } from "@foundry-mcp/contract";
import type { Logger, Registry } from "@foundry-mcp/toolkit";
import {
  type HttpOptions,
  type HttpRoutes,
  type RunningHttpServer,
  serveHttp,
} from "@foundry-mcp/toolkit/http";
import type { Metrics } from "@foundry-mcp/toolkit/metrics";
import type { LoadedSettings } from "../config/load-settings.ts";
import { type ToPortCommand, takenPort } from "./port/taken-port.ts";
import { inSettings, toGrantError, tokensOf } from "./token-grants.ts";

/** The log of a server, and the command that a person types to use another port. */
export interface ListenDeps {
  readonly logger: Logger;
  readonly toPortCommand: ToPortCommand;
  /** Routes in addition to those of every server. @default none */
  readonly routes?: HttpRoutes | undefined;
  /** Further registries by the beginning of their paths. @default none */
  readonly mounted?: HttpOptions["mounted"];
}

/** Serves a registry over HTTP with the address, the tokens and the metrics of the settings, until a signal ends it. */
export async function listenWithSettings(
  registry: Registry,
  loaded: LoadedSettings,
  { logger, toPortCommand, routes, mounted }: ListenDeps,
): Promise<RunningHttpServer> {
  const { host, port, allowed_hosts: allowedHosts, metrics } = loaded.values;
  const tokens = tokensOf(loaded);
  return listen(registry, loaded, toPortCommand, {
    host,
    port,
    logger,
    routes,
    mounted,
    handleSignals: true,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(tokens.length === 0 ? {} : { tokens }),
    ...(metrics ? { metrics: await startMetrics() } : {}),
  });
}

/** Loads the metrics, which only servers have, and starts recording. */
async function startMetrics(): Promise<Metrics> {
  const { openMetrics } = await import("@foundry-mcp/toolkit/metrics");
  return openMetrics();
}

async function listen(
  registry: Registry,
  loaded: LoadedSettings,
  toPortCommand: ToPortCommand,
  options: HttpOptions & { readonly host: string; readonly port: number },
): Promise<RunningHttpServer> {
  try {
    return await serveHttp(registry, options);
  } catch (thrown) {
    if (isContractError(thrown)) {
      throw toGrantError(thrown, loaded) ?? toSettingsError(thrown, options);
    }
    const { code, address } = (thrown ?? {}) as NodeJS.ErrnoException & { readonly address?: string };
    const { host, port } = options;
    if (code === "EADDRINUSE") throw await takenPort({ host, port, address }, toPortCommand, thrown);
    const known = refusals[code ?? ""];
    if (known === undefined) throw thrown;
    const { reason, remediation, field } = known;
    throw new ContractError(`Cannot serve at ${host}:${port}: ${reason}`, {
      errorCode: "UNAVAILABLE",
      remediation,
      details: { field, received: options[field] },
      cause: thrown,
    });
  }
}

/** Rewrites an error of the toolkit with the names of settings, which the user of the command knows. */
function toSettingsError(
  { message, remediation, options: { details } }: ContractError,
  options: HttpOptions,
): ContractError {
  const { field: option = "" } = (details ?? {}) as { readonly field?: string };
  const field = settingOf[option] ?? "FOUNDRY_TOKEN";
  const received = field === "host" ? options.host : options.allowedHosts;
  return new ContractError(inSettings(message), {
    errorCode: "VALIDATION_ERROR",
    remediation: options.tokens === undefined ? tokenless : inSettings(remediation ?? ""),
    details: field === "FOUNDRY_TOKEN" ? { field } : { field, received },
  });
}

const settingOf: Readonly<Record<string, string>> = { host: "host", allowedHosts: "allowed_hosts" };

const tokenless =
  "Set FOUNDRY_TOKEN to a long secret, and name with --allowed-hosts the hosts that it is called by; or listen on 127.0.0.1 and leave --allowed-hosts out.";

/** Listening errors that the user can avoid with another port or host. */
const refusals: Readonly<
  Record<string, { readonly reason: string; readonly remediation: string; readonly field: "host" | "port" }>
> = {
  EACCES: {
    reason: "this user may not listen there",
    remediation: "Name another port with --port, or 0 for any that is free.",
    field: "port",
  },
  EADDRNOTAVAIL: {
    reason: "this machine has no such address",
    remediation: "Name an address of this machine with --host, such as 127.0.0.1.",
    field: "host",
  },
};
