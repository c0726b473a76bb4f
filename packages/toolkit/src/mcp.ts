// What stands between a registry and the MCP SDK, for those who bring a transport or a server of their own.

// What raw actions return to ask the client, since 2026-07-28.
export { acceptedContent, createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server";
// A registry as a server of the SDK.
export {
  type Connection,
  createMcpHost,
  createMcpServer,
  type McpHost,
  type McpHostOptions,
} from "./mcp/create-mcp-server.ts";
export { forwardChanges } from "./mcp/forward-changes.ts";
// Tools of a server that someone else wrote.
export { type WrapOptions, type WrappedTool, wrapTool } from "./mcp/wrap-tool.ts";
