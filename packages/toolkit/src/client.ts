// The client: calls any MCP server, built with any SDK, and returns envelopes.

// Connections: to a URL, a command, a transport or an object in this process.
export type {
  CommandTarget,
  ConnectOptions,
  InProcessTarget,
  InProcessTool,
  SseTarget,
  Target,
} from "./client/connect-target.ts";
export { type Connection, connect, type ToolCallOptions } from "./client/connection.ts";
export type { TaskHandle } from "./client/lift-task.ts";
// Logins at servers with OAuth.
export { type LoginOptions, login } from "./client/login.ts";
export type { LoginClient, LoginState, LoginStore } from "./client/login-provider.ts";
// Functions for answers: `pages` iterates over pages, `retry` repeats calls, and `unwrap` returns the payload
// or throws.
export { type PagesOptions, pages } from "./client/pages.ts";
// Conversion of other servers' results and errors to envelopes.
export { readContentBlocks } from "./client/read-content-blocks.ts";
export { type RetryPolicy, retry } from "./client/retry.ts";
export { unwrap } from "./client/unwrap.ts";
export { type ErrorContext, readProtocolError } from "./result/read-error.ts";
export { type ResultContext, readCallToolResult } from "./result/read-result.ts";

// Connections that return unmodified replies, for programs that check or translate replies.

export {
  connectRaw,
  type RawConnection,
  type RawOptions,
  type RawReply,
  type RawRequestOptions,
  type RawTarget,
  toRpcError,
} from "./client/raw-connection.ts";
export type { QuestionReceiver } from "./client/relayed-questions.ts";
