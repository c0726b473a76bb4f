import { ContractError, isContractError } from "@foundry-mcp/contract";
import { type HttpOptions, type RunningHttpServer, serveHttp } from "@foundry-mcp/toolkit/http";
import type { Metrics } from "@foundry-mcp/toolkit/metrics";
import type { LoadedSettings } from "../config/load-settings.ts";
import { openLoadedServer } from "./open-server.ts";
import { inSettings, toGrantError, tokensOf } from "./token-grants.ts";
import { locateWorkspace } from "./workspace-location.ts";

/** Serves a workspace over HTTP until a signal ends the process; prints on stderr the URL and how to connect. */
export async function serveWorkspace(loaded: LoadedSettings, cwd: string): Promise<void> {
  const { host, port, allowed_hosts: allowedHosts, metrics } = loaded.values;
  // A person starts this server, and reads here what is missing.
  locateWorkspace(loaded, cwd);
  const { registry, logger, close } = await openLoadedServer(loaded, cwd, { setsUp: true });
  const tokens = tokensOf(loaded);
  const server = await listen(registry, loaded, {
    host,
    port,
    logger,
    handleSignals: true,
    ...(allowedHosts === undefined ? {} : { allowedHosts }),
    ...(tokens.length === 0 ? {} : { tokens }),
    ...(metrics ? { metrics: await startMetrics() } : {}),
  });
  // The storage is closed after the last response has been sent.
  for (const name of ["SIGINT", "SIGTERM"] as const)
    process.once(name, () => void server.close().then(close));
  process.stderr.write(
    `Foundry serves MCP at ${server.url}/mcp\n  claude mcp add --transport http foundry-mcp ${server.url}/mcp\n`,
  );
}

/** Loads the metrics, which only servers have, and starts to record. */
async function startMetrics(): Promise<Metrics> {
  const { openMetrics } = await import("@foundry-mcp/toolkit/metrics");
  return openMetrics();
}

async function listen(
  registry: Parameters<typeof serveHttp>[0],
  loaded: LoadedSettings,
  options: HttpOptions,
): Promise<RunningHttpServer> {
  try {
    return await serveHttp(registry, options);
  } catch (thrown) {
    if (isContractError(thrown)) {
      throw toGrantError(thrown, loaded) ?? toSettingsError(thrown, options);
    }
    const why = reasons[(thrown as NodeJS.ErrnoException | null)?.code ?? ""];
    if (why === undefined) throw thrown;
    const { host, port } = options;
    throw new ContractError(`Cannot serve at ${host}:${port}: ${why}`, {
      errorCode: "UNAVAILABLE",
      remediation: "Name another port with --port, or 0 for any that is free.",
      details: { field: "port", received: port },
      cause: thrown,
    });
  }
}

/** Words a failure of the toolkit in terms of settings, which is what the user of the command has. */
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

const reasons: Readonly<Record<string, string>> = {
  EADDRINUSE: "another program listens there",
  EACCES: "this user may not listen there",
  EADDRNOTAVAIL: "this machine has no such address",
};
