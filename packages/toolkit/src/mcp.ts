// Functions that connect a registry to the MCP SDK, for programs with their own transport or server.

// Functions with which raw actions ask the client questions in protocol version 2026-07-28.
export { acceptedContent, createRequestStateCodec, inputRequired } from "@modelcontextprotocol/server";
// Functions that create an SDK server from a registry.
export {
  createMcpHost,
  createMcpServer,
  type McpHost,
  type McpHostOptions,
  type ServerConnection,
} from "./mcp/create-mcp-server.ts";
export { forwardChanges } from "./mcp/forward-changes.ts";
// Failures that clients receive as JSON-RPC errors instead of tool results.
export { ProtocolRefusal } from "./mcp/protocol-errors.ts";
// Functions that add tools to an existing server of the SDK.
export { type WrapOptions, type WrappedTool, wrapTool } from "./mcp/wrap-tool.ts";
