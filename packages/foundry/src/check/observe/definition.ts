import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { type Parameter, parametersOf } from "../arguments/parameters.ts";

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
  if (actions.length === 0) return [{ definition, tool, ...promisesOf(raw, undefined) }];
  return actions.map((action) => ({ definition, tool, action, ...promisesOf(raw, action) }));
}

function promisesOf(raw: UnknownRecord, action: string | undefined) {
  const isReadOnly = promises(raw, action, "readOnly");
  return { isReadOnly, isIdempotent: isReadOnly || promises(raw, action, "idempotent") };
}

/** A server lists the actions that make a promise, or has an entry for each action; else its tool speaks for all. */
function promises(raw: UnknownRecord, action: string | undefined, hint: "readOnly" | "idempotent"): boolean {
  const told = isRecord(raw["_meta"]) ? raw["_meta"]["foundry-mcp/actions"] : undefined;
  if (isRecord(told) && action !== undefined) {
    const makers = told[hint];
    if (Array.isArray(makers)) return makers.includes(action);
    const entry = Object.hasOwn(told, action) ? told[action] : undefined;
    if (isRecord(entry)) return entry[hint] === true;
  }
  return isRecord(raw["annotations"]) && raw["annotations"][`${hint}Hint`] === true;
}
