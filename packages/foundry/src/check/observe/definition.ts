import type { UnknownRecord } from "@foundry-mcp/contract";
import { type Parameter, parametersOf } from "../arguments/parameters.ts";
import { isRecord } from "./observation.ts";

/** A tool as the server lists it. */
export interface ToolDefinition {
  readonly name: string;
  readonly raw: UnknownRecord;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly parameters: readonly Parameter[];
  /** The values of its parameter `action`; empty where it has none. */
  readonly actions: readonly string[];
}

/** Reads an entry of `tools/list`; undefined for what has no name to call it by. */
export function readDefinition(raw: unknown): ToolDefinition | undefined {
  if (!isRecord(raw) || typeof raw["name"] !== "string") return undefined;
  const { name, inputSchema, outputSchema } = raw as { name: string } & UnknownRecord;
  const parameters = parametersOf(inputSchema);
  const action = parameters.find((parameter) => parameter.name === "action")?.schema["enum"];
  const actions = Array.isArray(action) ? action.filter((each) => typeof each === "string") : [];
  return { name, raw, inputSchema, outputSchema, parameters, actions };
}

/** One thing that can be called: a tool, or an action of it. */
export interface Subject {
  readonly definition: ToolDefinition;
  readonly tool: string;
  readonly action?: string | undefined;
  /** Only what says that it changes nothing is called unasked. */
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
}

/** What a tool can be called for. */
export function subjectsOf(definition: ToolDefinition): Subject[] {
  const { name: tool, raw, actions } = definition;
  const annotations = isRecord(raw["annotations"]) ? raw["annotations"] : {};
  const meta = isRecord(raw["_meta"]) ? raw["_meta"]["foundry-mcp/actions"] : undefined;
  const ofTool = {
    isReadOnly: annotations["readOnlyHint"] === true,
    isIdempotent: annotations["readOnlyHint"] === true || annotations["idempotentHint"] === true,
  };
  if (actions.length === 0) return [{ definition, tool, ...ofTool }];
  return actions.map((action) => {
    const hints = isRecord(meta) && Object.hasOwn(meta, action) ? meta[action] : undefined;
    if (!isRecord(hints)) return { definition, tool, action, ...ofTool };
    const isReadOnly = hints["readOnly"] === true;
    return { definition, tool, action, isReadOnly, isIdempotent: isReadOnly || hints["idempotent"] === true };
  });
}
