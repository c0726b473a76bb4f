import { serveHttp } from "@foundry-mcp/toolkit/http";
import type { LoadedSettings } from "../config/load-settings.ts";
import { openLoaded } from "./open-server.ts";

/** Serves a workspace over HTTP until the process is told to end; says on stderr where, and how to connect. */
export async function serveWorkspace(loaded: LoadedSettings, cwd: string): Promise<void> {
  const { host, port } = loaded.values;
  const { registry, logger } = await openLoaded(loaded, cwd);
  const token = process.env["FOUNDRY_TOKEN"];
  const server = await serveHttp(registry, {
    host,
    port,
    logger,
    handleSignals: true,
    ...(token === undefined || token === "" ? {} : { tokens: [{ token, principal: "operator" }] }),
  });
  process.stderr.write(
    `Foundry serves MCP at ${server.url}/mcp\n  claude mcp add --transport http foundry-mcp ${server.url}/mcp\n`,
  );
}
