import { type McpRequestContext, McpServer, type ServerCapabilities } from "@modelcontextprotocol/server";
import { type Logger, silentLogger } from "../context/logger.ts";
import type { Registry } from "../registry/registry.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { createReplay, type Replay } from "./asker.ts";
import { handleCompletions } from "./completions.ts";
import { handlePrompts } from "./prompts.ts";
import { handleResources } from "./resources.ts";
import { handleToolCalls } from "./tool-calls.ts";

/** The state that all connections of one server share. */
export interface McpHost {
  readonly registry: Registry;
  readonly logger: Logger;
  readonly surface: "stdio" | "http";
  readonly replay: Replay;
}

/** The options of a server over MCP. */
export interface McpHostOptions {
  readonly surface: "stdio" | "http";
  /** @default the registry's logger, which is silent unless it was given one */
  readonly logger?: Logger | undefined;
  /** 32 bytes or more, the same in every process that serves the same clients. @default new for this process */
  readonly stateKey?: Uint8Array | string | undefined;
}

/** Prepares a registry for connections. */
export function createMcpHost(registry: Registry, { surface, logger, stateKey }: McpHostOptions): McpHost {
  // Creates the definitions now, so that an invalid declaration fails before a client connects.
  void registry.definitions;
  return {
    registry,
    surface,
    logger: logger ?? registry.options.logger ?? silentLogger,
    replay: createReplay(stateKey),
  };
}

/** A server of the SDK that lists and calls the tools of a registry. */
class RegistryServer extends McpServer {
  readonly #registry: Registry;

  constructor(registry: Registry) {
    const { name, version, title, instructions } = registry.options;
    super(
      { name, version, ...(title === undefined ? {} : { title }) },
      { capabilities: capabilitiesOf(registry), ...(instructions === undefined ? {} : { instructions }) },
    );
    this.#registry = registry;
  }

  /** The SDK compares `Mcp-Param-*` headers with the schema of the tool that is called. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const definition = this.#registry.definitions.find((tool) => tool.name === name);
    return definition?.inputSchema as JsonSchema & Record<string, unknown>;
  }
}

/** The server of the SDK for one client. */
export interface ServerConnection {
  readonly mcp: McpServer;
  readonly era: McpRequestContext["era"];
  /** The resources that a client of an earlier protocol has subscribed to. */
  readonly subscriptions: ReadonlySet<string>;
}

/** Creates the server of one connection, or of one request where the protocol is stateless. */
export function createMcpServer(host: McpHost, { era }: Pick<McpRequestContext, "era">): ServerConnection {
  const { registry } = host;
  const mcp = new RegistryServer(registry);
  const subscriptions = new Set<string>();
  mcp.server.setRequestHandler("tools/list", () => ({ tools: registry.definitions as never }));
  handleToolCalls(host, mcp.server, era);
  if (registry.resources.length > 0) handleResources(host, mcp.server, subscriptions);
  if (registry.prompts.length > 0) handlePrompts(host, mcp.server);
  if (hasCompletions(registry)) handleCompletions(host, mcp.server);
  return { mcp, era, subscriptions };
}

function capabilitiesOf(registry: Registry): ServerCapabilities {
  return {
    tools: { listChanged: true },
    logging: {},
    ...(registry.resources.length > 0 ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(registry.prompts.length > 0 ? { prompts: { listChanged: true } } : {}),
    ...(hasCompletions(registry) ? { completions: {} } : {}),
  };
}

function hasCompletions({ prompts, resources }: Registry): boolean {
  return [...prompts, ...resources].some((item) => "complete" in item && item.complete !== undefined);
}
