// The layer between a registry and the MCP SDK, for programs with a transport or a server of their own.

// Raw actions return these to ask the client, since 2026-07-28.
export { acceptedContent, createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server";
// A registry as a server of the SDK.
export {
  createMcpHost,
  createMcpServer,
  type McpHost,
  type McpHostOptions,
  type ServerConnection,
} from "./mcp/create-mcp-server.ts";
export { forwardChanges } from "./mcp/forward-changes.ts";
// Tools of an existing server.
export { type WrapOptions, type WrappedTool, wrapTool } from "./mcp/wrap-tool.ts";
