import type { Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { type InputDetail, toFlatInput } from "./flat-input.ts";
import { type OutputDetail, toOutputSchema } from "./output-schema.ts";
import type { PreparedTool } from "./prepared-tool.ts";

/** A tool as `tools/list` tells it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta: UnknownRecord;
}

/** What the definitions of a server have in common. */
export interface DefinitionOptions {
  readonly dialects: readonly Dialect[];
  readonly inputDetail: InputDetail;
  readonly outputDetail: OutputDetail;
  /** How long an answer may be before Claude Code writes it to a file. */
  readonly maxResultSizeChars: number;
}

/** The definition of a tool. */
export function toDefinition(tool: PreparedTool, options: DefinitionOptions): ToolDefinition {
  const actions = [...tool.actions.values()];
  const isRaw = actions.some(({ definition }) => definition.raw);
  return {
    name: tool.name,
    ...(tool.title === undefined ? {} : { title: tool.title }),
    description: tool.description,
    inputSchema: toFlatInput(tool, options.inputDetail),
    ...(isRaw ? {} : { outputSchema: toOutputSchema(tool, options.dialects, options.outputDetail) }),
    // MCP's annotations are per tool: they promise what holds for every action.
    annotations: {
      readOnlyHint: actions.every(({ hints }) => hints.readOnly),
      destructiveHint: actions.some(({ hints }) => hints.destructive),
      idempotentHint: actions.every(({ hints }) => hints.idempotent),
      openWorldHint: actions.some(({ hints }) => hints.openWorld),
    },
    _meta: {
      "anthropic/maxResultSizeChars": options.maxResultSizeChars,
      ...toActionHints(tool),
      ...tool.meta,
    },
  };
}

/**
 * Per action what it promises; what it does not promise is left out, and so is what follows: that what
 * only reads may be repeated, and everything where all actions promise what the annotations say.
 */
function toActionHints(tool: PreparedTool): UnknownRecord {
  const actions = [...tool.actions].map(([name, { hints }]) => {
    const told = { ...hints, idempotent: hints.idempotent && !hints.readOnly };
    return [name, Object.fromEntries(Object.entries(told).filter(([, promised]) => promised))] as const;
  });
  if (new Set(actions.map(([, promised]) => JSON.stringify(promised))).size <= 1) return {};
  return { "foundry-mcp/actions": Object.fromEntries(actions) };
}
