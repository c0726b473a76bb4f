import type { ServerContext } from "@modelcontextprotocol/server";
import { type LegacyExtra, type LegacyServer, toServerContext } from "./wrap-tool-context.ts";

/** A registered tool, in the form that SDK 1.x and 2.x return. */
export interface RemovableTool {
  description?: string | undefined;
  remove(): void;
}

/**
 * The members of `McpServer` in SDK 1.x and 2.x that `wrapTool` uses. This type is an interface, because each
 * SDK has its own class.
 */
export interface ToolServer {
  readonly server: {
    getClientVersion(): { readonly name: string; readonly version: string } | undefined;
    getClientCapabilities(): object | undefined;
  };
  // The parameter types differ between SDK 1.x and 2.x; `registerOn` passes values that both accept.
  registerTool(name: string, config: never, handler: never): RemovableTool;
}

/** Answers a call of a tool, with the request in the form of SDK 2.x. */
export type ToolHandler = (args: unknown, context: ServerContext) => Promise<object>;

/** The options of `registerTool` that SDK 1.x and 2.x both accept. */
export interface ToolConfig {
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: object;
  readonly outputSchema?: object;
  readonly annotations: object;
  readonly _meta: object;
}

/** Registers a tool on a server of SDK 1.x or 2.x. */
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

/** Returns true if the server converted the schema to zod 3, because the SDK is too old for schemas of zod 4. */
function isOutdated(registered: RemovableTool): boolean {
  const kept = (registered as { readonly inputSchema?: unknown }).inputSchema;
  return typeof kept === "object" && kept !== null && "_def" in kept && !("_zod" in kept);
}
