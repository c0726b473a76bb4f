import type { Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { type InputDetail, toFlatInput } from "./flat-input.ts";
import { type OutputDetail, toOutputSchema } from "./output-schema.ts";
import type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

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
    annotations: toAnnotations(actions),
    _meta: {
      "anthropic/maxResultSizeChars": options.maxResultSizeChars,
      ...toActionHints(tool),
      ...tool.meta,
    },
  };
}

/**
 * MCP's annotations are per tool: they promise what holds for every action. What only reads destroys
 * nothing and may be repeated, and nobody takes a tool for idempotent that does not say so: neither is told.
 */
function toAnnotations(actions: readonly PreparedAction[]): Readonly<Record<string, boolean>> {
  const readOnlyHint = actions.every(({ hints }) => hints.readOnly);
  const isIdempotent = !readOnlyHint && actions.every(({ hints }) => hints.idempotent);
  return {
    readOnlyHint,
    ...(readOnlyHint ? {} : { destructiveHint: actions.some(({ hints }) => hints.destructive) }),
    ...(isIdempotent ? { idempotentHint: true } : {}),
    openWorldHint: actions.some(({ hints }) => hints.openWorld),
  };
}

/**
 * Per promise the actions that make it. Left out is what the annotations say, where all make it or none,
 * and what follows: that what only reads may be repeated.
 */
function toActionHints({ actions }: PreparedTool): UnknownRecord {
  const told = (["readOnly", "idempotent", "destructive", "openWorld"] as const).flatMap((hint) => {
    const makers = [...actions.values()].filter(({ hints }) => hints[hint]);
    const named = makers.filter(({ hints }) => hint !== "idempotent" || !hints.readOnly);
    if (makers.length === actions.size || named.length === 0) return [];
    return [[hint, named.map(({ name }) => name)] as const];
  });
  return told.length === 0 ? {} : { "foundry-mcp/actions": Object.fromEntries(told) };
}
