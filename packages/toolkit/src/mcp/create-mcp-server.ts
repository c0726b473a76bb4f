import { type McpRequestContext, McpServer, type ServerCapabilities } from "@modelcontextprotocol/server";
import { type Logger, silentLogger } from "../context/logger.ts";
import type { Registry } from "../registry/registry.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { createReplay, type Replay } from "./asker.ts";
import { handleCompletions } from "./completions.ts";
import { handleTasks } from "./handle-tasks.ts";
import { handlePrompts } from "./prompts.ts";
import { handleResources } from "./resources.ts";
import { tasksCapability, tasksCapability2025 } from "./task-names.ts";
import { handleToolCalls } from "./tool-calls.ts";

/** The state that all connections of one server share. */
export interface McpHost {
  readonly registry: Registry;
  readonly logger: Logger;
  readonly surface: "stdio" | "http";
  readonly replay: Replay;
  /** Stops the jobs that this process runs, so that another process can continue them. */
  close(): Promise<void>;
}

/** The options of a server over MCP. */
export interface McpHostOptions {
  readonly surface: "stdio" | "http";
  /** @default the registry's logger, which writes nothing unless the registry has a `logger` option */
  readonly logger?: Logger | undefined;
  /**
   * The key that signs state stored by clients: 32 bytes or more, the same in every process that serves the same
   * clients.
   * @default a new key for this process
   */
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
    close: openJobs(registry),
  };
}

/** Starts to run the jobs of a registry; returns the function that stops this. */
function openJobs(registry: Registry): () => Promise<void> {
  const { jobs: store } = registry.options;
  if (store === undefined) return async () => {};
  const runner = import("./job-runner.ts").then(({ jobRunnerOf }) => jobRunnerOf(registry, store));
  return async () => (await runner).close();
}

/** A server of the SDK that lists and calls the tools of a registry. */
class RegistryServer extends McpServer {
  readonly #registry: Registry;

  constructor(registry: Registry, era: McpRequestContext["era"]) {
    const { name, version, title, instructions } = registry.options;
    super(
      { name, version, ...(title === undefined ? {} : { title }) },
      {
        capabilities: capabilitiesOf(registry, era),
        ...(instructions === undefined ? {} : { instructions }),
      },
    );
    this.#registry = registry;
  }

  /** Returns the input schema of a tool; the SDK compares the `Mcp-Param-*` headers of a call with this schema. */
  override toolInputSchemaJson(name: string): Record<string, unknown> | undefined {
    const definition = this.#registry.definitions.find((tool) => tool.name === name);
    return definition?.inputSchema as JsonSchema & Record<string, unknown>;
  }
}

/** The SDK server that serves one client. */
export interface ServerConnection {
  readonly mcp: McpServer;
  readonly era: McpRequestContext["era"];
  /** The URIs to which a client of a protocol version before 2026-07-28 has subscribed. */
  readonly subscriptions: ReadonlySet<string>;
}

/** Creates the SDK server of one connection, or of one request if the protocol is stateless. */
export function createMcpServer(host: McpHost, { era }: Pick<McpRequestContext, "era">): ServerConnection {
  const { registry } = host;
  const mcp = new RegistryServer(registry, era);
  const subscriptions = new Set<string>();
  mcp.server.setRequestHandler("tools/list", async () => {
    await registry.options.prepare?.();
    return { tools: registry.definitions as never };
  });
  handleToolCalls(host, mcp.server, era);
  if (registry.options.jobs !== undefined) handleTasks(host, mcp.server, era, registry.options.jobs);
  if (hasResources(registry)) handleResources(host, mcp.server, subscriptions);
  if (hasPrompts(registry)) handlePrompts(host, mcp.server);
  if (hasCompletions(registry)) handleCompletions(host, mcp.server);
  return { mcp, era, subscriptions };
}

function capabilitiesOf(registry: Registry, era: McpRequestContext["era"]): ServerCapabilities {
  return {
    tools: { listChanged: true },
    logging: {},
    ...(hasResources(registry) ? { resources: { listChanged: true, subscribe: true } } : {}),
    ...(hasPrompts(registry) ? { prompts: { listChanged: true } } : {}),
    ...(hasCompletions(registry) ? { completions: {} } : {}),
    // The SDK sends each client only the capability of its own protocol version.
    ...(registry.options.jobs === undefined ? {} : era === "modern" ? tasksCapability : tasksCapability2025),
  };
}

function hasResources({ resources, options }: Registry): boolean {
  return resources.length > 0 || options.announcesAll === true;
}

function hasPrompts({ prompts, options }: Registry): boolean {
  return prompts.length > 0 || options.announcesAll === true;
}

function hasCompletions({ prompts, resources, options }: Registry): boolean {
  if (options.announcesAll === true) return true;
  return [...prompts, ...resources].some((item) => "complete" in item && item.complete !== undefined);
}
