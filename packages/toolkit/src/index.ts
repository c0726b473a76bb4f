// Define a tool once; call it in process, over MCP and over HTTP. This entry point exports everything for declaring
// a server and nothing that opens a socket. The entry points /stdio, /http and /mcp serve a registry, and /client
// calls servers.

export type { ToolDefinition } from "./catalogue/tool-definition.ts";
// Types that describe a call: the context of a handler, and the caller that a surface provides.
export {
  type Asker,
  type AskRequest,
  cannotAsk,
  capabilityOf,
  type ElicitAnswer,
  InputRequired,
  isInputRequired,
  type Question,
  type SampleAnswer,
  type SampleRequest,
} from "./context/ask.ts";
export type { Attachment } from "./context/attachment.ts";
export type { Agreement, Call, Caller, Client, LogLevel, Progress, Surface } from "./context/call.ts";
export type { Context, EndNotice, RequestContext } from "./context/context.ts";
export type { Logger } from "./context/logger.ts";
export type { Pager } from "./context/pager.ts";
export type { Principal, Role } from "./context/principal.ts";
// Declarations: tools, resources, prompts.
export {
  type Action,
  type ActionDefinition,
  type ActionExample,
  type ActionHints,
  action,
  type CliHelp,
  type CliPlacement,
  type FeatureOptions,
  type PageOptions,
  type Payload,
  type ReturnedEnvelope,
} from "./define/action.ts";
export {
  definePrompt,
  type Prompt,
  type PromptDefinition,
  type PromptMessage,
  type PromptResult,
} from "./define/prompt.ts";
export {
  type Completer,
  defineResource,
  type FixedResource,
  type ListedResource,
  type Resource,
  type ResourceContents,
  type ResourceTemplate,
} from "./define/resource.ts";
export { type ActionToolDefinition, defineTool, type PlainToolDefinition, type Tool } from "./define/tool.ts";
export { type ArgumentParser, createArgumentParser } from "./dispatch/argument-parser.ts";
// Functions that share a server's limited resources among clients, so that no client can take all of them.
export { type CallSlots, createCallSlots } from "./dispatch/concurrency.ts";
export type { Outcome } from "./dispatch/dispatch.ts";
export type { Budget } from "./dispatch/dispatch-deps.ts";
export { createShares, type Holding, type Shares, type SharesOptions } from "./limits/shares.ts";
// The registry: tools, resources and prompts of a server, and calls of its tools.
export type { Change } from "./registry/change-feed.ts";
export type { Compatibility, CompatibleCall, CompatibleParameter } from "./registry/compatibility.ts";
export type { CompatibleAnswer, CompatibleKey } from "./registry/compatible-keys.ts";
export type { HealthChecks, HealthReport } from "./registry/health.ts";
export { toReference } from "./registry/reference.ts";
export { type CallOptions, createRegistry, type Registry } from "./registry/registry.ts";
export type { RegistryOptions } from "./registry/registry-options.ts";
export { describeConfirmation } from "./schema/confirmation.ts";
export {
  type JsonSchema,
  type LazySchema,
  payload,
  rows,
  type Schema,
  type SchemaInput,
  type SchemaOutput,
  withJsonSchema,
} from "./schema/schema.ts";
// Texts: suggestions for misspelled names, and masking of secrets.
export { suggest } from "./text/did-you-mean.ts";
export { maskFromPassword, maskUrlPassword, stripUserInfo } from "./text/mask-secrets.ts";
