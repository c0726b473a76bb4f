import type { Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { type InputDetail, toFlatInput } from "./flat-input.ts";
import { type OutputDetail, toOutputSchema } from "./output-schema.ts";
import type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/** A tool as `tools/list` describes it. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  readonly _meta: UnknownRecord;
}

/** The options of all definitions of a server. */
export interface DefinitionOptions {
  readonly dialects: readonly Dialect[];
  readonly inputDetail: InputDetail;
  readonly outputDetail: OutputDetail;
  /** How long a response may be before Claude Code writes it to a file. */
  readonly maxResultSizeChars: number;
}

/** Creates the definition of a tool. */
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
 * MCP's annotations are per tool, so they hold for every action. Left out are the hints that follow from
 * `readOnlyHint`, and `idempotentHint` where it is false, which is its default.
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
 * The actions of each hint. Left out are hints of all actions or of none, which the annotations give, and
 * `idempotent` for read-only actions, which are. Roles are given where they are declared.
 */
function toActionHints(tool: PreparedTool): UnknownRecord {
  const { actions } = tool;
  const hints = (["readOnly", "idempotent", "destructive", "openWorld"] as const).flatMap((hint) => {
    const actionsWithHint = [...actions.values()].filter(({ hints }) => hints[hint]);
    const named = actionsWithHint.filter(({ hints }) => hint !== "idempotent" || !hints.readOnly);
    if (actionsWithHint.length === actions.size || named.length === 0) return [];
    return [[hint, named.map(({ name }) => name)] as const];
  });
  const facts = { ...Object.fromEntries(hints), ...toDeclaredRoles(tool) };
  return Object.keys(facts).length === 0 ? {} : { "foundry-mcp/actions": facts };
}

/** The role that all actions need, or that all changes need, or the actions of each role; nothing where none is declared. */
function toDeclaredRoles({ role: ofTool, actions }: PreparedTool): UnknownRecord {
  const byRole: Record<string, readonly string[]> = {};
  for (const { name, definition } of actions.values()) {
    const role = definition.role ?? ofTool;
    if (role !== undefined) byRole[role] = [...(byRole[role] ?? []), name];
  }
  const [first, ...others] = Object.entries(byRole);
  if (first === undefined) return {};
  const [role, names] = first;
  if (others.length > 0) return { role: byRole };
  if (names.length === actions.size) return { role };
  const changes = [...actions.values()].filter(({ hints }) => !hints.readOnly).map(({ name }) => name);
  const isEachChange = names.length === changes.length && changes.every((name) => names.includes(name));
  return { role: isEachChange ? { [role]: "changes" } : byRole };
}
