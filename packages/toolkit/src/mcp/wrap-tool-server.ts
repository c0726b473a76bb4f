import type { ServerContext } from "@modelcontextprotocol/server";
import { type LegacyExtra, type LegacyServer, toServerContext } from "./wrap-tool-context.ts";

/** A registered tool, as both generations of the SDK return it. */
export interface RemovableTool {
  description?: string | undefined;
  remove(): void;
}

/** The parts of the `McpServer` of SDK 1.x and 2.x that `wrapTool` uses; no class, because each has its own. */
export interface ToolServer {
  readonly server: {
    getClientVersion(): { readonly name: string; readonly version: string } | undefined;
    getClientCapabilities(): object | undefined;
  };
  // The parameters differ between the generations; `registerOn` passes what both take.
  registerTool(name: string, config: never, handler: never): RemovableTool;
}

/** Answers a call of a tool, with the request in the form of SDK 2.x. */
export type ToolHandler = (args: unknown, context: ServerContext) => Promise<object>;

/** The options of `registerTool` that both generations take. */
export interface ToolConfig {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: object;
  readonly _meta: object;
}

/** Registers a tool on a server of either generation. */
export function registerOn(
  server: ToolServer,
  name: string,
  config: ToolConfig,
  handler: ToolHandler,
): RemovableTool {
  const answer = (args: unknown, context: ServerContext | LegacyExtra) =>
    handler(args, "mcpReq" in context ? context : toServerContext(context, server.server as LegacyServer));
  const registered = server.registerTool(name, config as never, answer as never);
  if (!isOutdated(registered)) return registered;
  registered.remove();
  throw new TypeError(
    `Cannot wrap the tool "${name}": this version of @modelcontextprotocol/sdk takes no schemas of zod 4. Use 1.23 or newer.`,
  );
}

/** Returns true if the server made a schema of zod 3 out of ours: it takes only objects of such schemas. */
function isOutdated(registered: RemovableTool): boolean {
  const kept = (registered as { readonly inputSchema?: unknown }).inputSchema;
  return typeof kept === "object" && kept !== null && "_def" in kept && !("_zod" in kept);
}
