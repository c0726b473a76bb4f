import { type GoodTool, isPlain, plain } from "./good-tool.ts";
import type { Json } from "./rpc.ts";

/** The dialects of the good server. */
export type ZooDialect = "response-v2" | "envelope-v1" | "response-v1";

/** A tool as listed by `tools/list`. Faults change it in ways that no type would allow. */
export type Definition = Json & { readonly name: string };

/** Returns the definition of a tool for `tools/list`. */
export function toDefinition(tool: GoodTool, dialect: ZooDialect): Definition {
  const actions = Object.keys(tool.actions);
  const parameters = Object.assign({}, ...Object.values(tool.actions).map((action) => action.parameters));
  const action = { type: "string", enum: actions, description: "What to do" };
  return {
    name: tool.name,
    description: tool.description,
    inputSchema: {
      type: "object",
      properties: isPlain(tool) ? parameters : { action, ...parameters },
      required: isPlain(tool) ? (tool.actions[plain]?.required ?? []) : ["action"],
      additionalProperties: false,
    },
    outputSchema: outputSchemas[dialect],
    annotations: { readOnlyHint: true, destructiveHint: false, idempotentHint: true, openWorldHint: false },
    ...(isPlain(tool) ? {} : { _meta: { "foundry-mcp/actions": { readOnly: actions } } }),
  };
}

const outputSchemas: Readonly<Record<ZooDialect, Json>> = {
  "response-v2": {
    type: "object",
    properties: {
      success: { type: "boolean" },
      data: { type: "object" },
      error: { type: ["string", "null"] },
      meta: {
        type: "object",
        properties: { version: { const: "response-v2" } },
        required: ["version"],
      },
    },
    required: ["success", "data", "error", "meta"],
    additionalProperties: false,
  },
  "envelope-v1": {
    type: "object",
    properties: {
      tier: { enum: ["community", "pro", "enterprise"] },
      tool_version: { type: "string" },
      tool_id: { type: "string" },
      request_id: { type: "string" },
      capabilities: { type: "array", items: { type: "string" } },
      duration_ms: { type: ["number", "null"] },
      error: { type: ["object", "null"] },
      upgrade_hints: { type: "array", items: { type: "object" } },
      data: {},
    },
    required: [
      "tier",
      "tool_version",
      "tool_id",
      "request_id",
      "capabilities",
      "duration_ms",
      "error",
      "upgrade_hints",
      "data",
    ],
  },
  "response-v1": {
    type: "object",
    properties: {
      success: { type: "boolean" },
      schema_version: { const: "1.0.0" },
      error: { type: "string" },
    },
    required: ["success", "schema_version"],
  },
};
