// The calling side: any MCP server, of any SDK, answers with envelopes. It declares and serves nothing.

// Connections: to an address, a command, a transport or something in this process.
export { connect } from "./client/connect.ts";
export type {
  CommandTarget,
  ConnectOptions,
  InProcessTarget,
  InProcessTool,
  Target,
} from "./client/connect-target.ts";
export type { Connection, ToolCallOptions } from "./client/connection.ts";
// Answers: walking lists, calling again, payload or error.
export { type PagesOptions, pages } from "./client/pages.ts";
export { type RetryPolicy, retry } from "./client/retry.ts";
export { unwrap } from "./client/unwrap.ts";
// Translation: what other servers answer and throw, as envelopes.
export { type ErrorContext, readProtocolError } from "./result/read-error.ts";
export { type ResultContext, readCallToolResult } from "./result/read-result.ts";

// The same servers as they are, for those who judge or translate what they answer.

export {
  connectRaw,
  type RawConnection,
  type RawReply,
  type RawRequestOptions,
  type RawTarget,
} from "./client/raw-connection.ts";
