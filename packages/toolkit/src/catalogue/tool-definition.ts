import type { Dialect, UnknownRecord } from "@foundry-mcp/contract";
import type { TaskSupport } from "../context/job-call.ts";
import type { JsonSchema } from "../schema/schema.ts";
import { type InputDetail, toFlatInput } from "./flat-input.ts";
import { type OutputDetail, toOutputSchema } from "./output-schema.ts";
import type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/** The definition of a tool in `tools/list`. */
export interface ToolDefinition {
  readonly name: string;
  readonly title?: string;
  readonly description: string;
  readonly inputSchema: JsonSchema;
  readonly outputSchema?: JsonSchema;
  readonly annotations: Readonly<Record<string, boolean>>;
  /** Only clients of protocol version 2025-11-25 receive it. */
  readonly execution?: { readonly taskSupport: TaskSupport };
  readonly _meta: UnknownRecord;
}

/** The options shared by all definitions of a server. */
export interface DefinitionOptions {
  readonly dialects: readonly Dialect[];
  readonly inputDetail: InputDetail;
  readonly outputDetail: OutputDetail;
  /** The maximum length of a response in characters before Claude Code writes it to a file. */
  readonly maxResultSizeChars: number;
  /** The store of jobs; without one, no call becomes a job. */
  readonly jobs?: object | undefined;
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
    ...(options.jobs === undefined ? {} : toExecution(actions)),
    _meta: {
      "anthropic/maxResultSizeChars": options.maxResultSizeChars,
      ...toActionHints(tool),
      ...tool.meta,
    },
    ...tool.listedAs,
  };
}

/** Tells whether calls run as jobs; left out if no action does, because that is the default. */
function toExecution(actions: readonly PreparedAction[]): Pick<ToolDefinition, "execution"> {
  const supports = actions.map(({ definition }) => definition.task ?? "never");
  if (supports.every((support) => support === "never")) return {};
  const isRequired = supports.every((support) => support === "required");
  return { execution: { taskSupport: isRequired ? "required" : "optional" } };
}

/**
 * Creates MCP's annotations, which are per tool and must therefore apply to every action. Leaves out the
 * hints that follow from `readOnlyHint`. Also leaves out `idempotentHint` if it has its default value, which
 * is false.
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
 * Lists the actions of each hint. Leaves out hints that apply to all actions or to no action, because the
 * annotations of the tool already express these hints. Leaves out `idempotent` for read-only actions, which
 * are always idempotent. Includes roles if any are declared.
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

/**
 * Returns the role that all actions need, or the role that all changing actions need, or the actions by role; empty
 * if no role is declared.
 */
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
