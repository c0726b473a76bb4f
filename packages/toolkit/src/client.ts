// The client: calls any MCP server, of any SDK, and returns envelopes.

// Connections: to a URL, a command, a transport or an object in this process.
export type {
  CommandTarget,
  ConnectOptions,
  InProcessTarget,
  InProcessTool,
  Target,
} from "./client/connect-target.ts";
export { type Connection, connect, type ToolCallOptions } from "./client/connection.ts";
// Answers: iterate over pages, retry, get the payload or throw.
export { type PagesOptions, pages } from "./client/pages.ts";
export { type RetryPolicy, retry } from "./client/retry.ts";
export { unwrap } from "./client/unwrap.ts";
// Conversion: results and errors of other servers as envelopes.
export { type ErrorContext, readProtocolError } from "./result/read-error.ts";
export { type ResultContext, readCallToolResult } from "./result/read-result.ts";

// The same servers with unmodified replies, for programs that check or translate them.

export {
  connectRaw,
  type RawConnection,
  type RawReply,
  type RawRequestOptions,
  type RawTarget,
} from "./client/raw-connection.ts";
