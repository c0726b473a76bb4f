import { fileURLToPath } from "node:url";
import type { Envelope, UnknownRecord } from "@foundry-mcp/contract";
import type { Call, Logger, Outcome, Principal } from "@foundry-mcp/toolkit";
import { createMemoryArchive } from "@foundry-mcp/toolkit/archive";
import { parseMcpServers } from "../../servers/mcp-servers-file.ts";
import { parseGatewayConfig } from "../config/gateway-config.ts";
import { type Gateway, type GatewayOptions, openGateway } from "../gateway.ts";

const fixture = fileURLToPath(new URL("../fixtures/upstream.mjs", import.meta.url));

/** Returns the entry of a server file for the test server. `way` selects how the server behaves. */
export function fixtureEntry(way: string, env: Readonly<Record<string, string>> = {}, extra = "") {
  return { command: process.execPath, args: [fixture, way, extra], env };
}

const ignore = () => {};
/** A logger that writes nothing. */
export const silent: Logger = {
  ...{ debug: ignore, info: ignore, warn: ignore, error: ignore },
  child: () => silent,
  isLevelEnabled: () => false,
};

/** A gateway with functions that call its tools like a client over stdio. */
export interface TestGateway extends Gateway {
  dispatch(
    call: Call,
    caller?: { readonly principal?: Principal; readonly signal?: AbortSignal },
  ): Promise<Outcome>;
  call(tool: string, args?: UnknownRecord): Promise<Envelope<UnknownRecord>>;
}

/**
 * Opens a gateway for the given servers. Unless `waits` is false, waits for the first attempt to connect to each
 * server.
 */
export async function openTestGateway(
  mcpServers: Readonly<Record<string, object>>,
  section: object = {},
  options: Partial<GatewayOptions> = {},
  { waits = true }: { readonly waits?: boolean } = {},
): Promise<TestGateway> {
  const text = JSON.stringify({ mcpServers, gateway: section });
  const servers = parseMcpServers(text, { file: "test.json", env: {} });
  const gateway = openGateway({
    version: "1.0.0",
    servers: servers.names.map((name) => ({ name, target: servers.toTarget(name) })),
    config: parseGatewayConfig(text, "test.json"),
    archive: createMemoryArchive(),
    maxTokens: 20_000,
    logger: silent,
    ...options,
  });
  if (waits) await gateway.started();
  const dispatch: TestGateway["dispatch"] = (call, caller = {}) =>
    gateway.registry.dispatch(call, { surface: "stdio", client: { name: "test" }, ...caller });
  return Object.create(gateway, {
    dispatch: { value: dispatch },
    call: {
      value: async (tool: string, args: UnknownRecord = {}) => (await dispatch({ tool, args })).envelope,
    },
  }) as TestGateway;
}
