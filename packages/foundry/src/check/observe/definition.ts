import type { UnknownRecord } from "@foundry-mcp/contract";
import { isRecord } from "@foundry-mcp/contract";
import { type Parameter, parametersOf } from "../arguments/parameters.ts";
import { normalizeKey } from "../arguments/value-pool.ts";
import { getOwn } from "../schemas/json-schema.ts";

/** A tool as listed by the server. */
export interface ToolDefinition {
  readonly name: string;
  readonly raw: UnknownRecord;
  readonly inputSchema: unknown;
  readonly outputSchema: unknown;
  readonly parameters: readonly Parameter[];
  /** The values of the parameter `action`. The list is empty if the tool has no such parameter. */
  readonly actions: readonly string[];
}

/** Reads an entry of `tools/list`. Returns undefined if the entry has no name. */
export function readDefinition(raw: unknown): ToolDefinition | undefined {
  if (!isRecord(raw) || typeof raw["name"] !== "string") return undefined;
  const { name, inputSchema, outputSchema } = raw as { name: string } & UnknownRecord;
  const parameters = parametersOf(inputSchema);
  const action = parameters.find((parameter) => parameter.name === "action")?.schema["enum"];
  const actions = Array.isArray(action) ? action.filter((each) => typeof each === "string") : [];
  return { name, raw, inputSchema, outputSchema, parameters, actions };
}

/** A tool, or one action of a tool that has actions. */
export interface Operation {
  readonly definition: ToolDefinition;
  readonly tool: string;
  readonly action?: string | undefined;
  /** True if the operation may be called although the user has not named it. */
  readonly isReadOnly: boolean;
  readonly isIdempotent: boolean;
}

/** Returns the operations of a tool: one for each action, or the tool itself. */
export function operationsOf(definition: ToolDefinition): Operation[] {
  const { name: tool, raw, actions } = definition;
  if (actions.length === 0) return [{ definition, tool, ...hintsOf(raw, undefined) }];
  return actions.map((action) => ({ definition, tool, action, ...hintsOf(raw, action) }));
}

function hintsOf(raw: UnknownRecord, action: string | undefined) {
  const isReadOnly = hasHint(raw, action, "readOnly");
  return { isReadOnly, isIdempotent: isReadOnly || hasHint(raw, action, "idempotent") };
}

/**
 * Returns true if the operation has a hint. If `_meta` lists the actions with the hint, or has an entry for each
 * action, `_meta` decides. Otherwise, the annotation of the tool decides.
 */
function hasHint(raw: UnknownRecord, action: string | undefined, hint: "readOnly" | "idempotent"): boolean {
  const actions = isRecord(raw["_meta"]) ? raw["_meta"]["foundry-mcp/actions"] : undefined;
  if (isRecord(actions) && action !== undefined) {
    const names = actions[hint];
    if (Array.isArray(names)) return names.includes(action);
    const entry = Object.hasOwn(actions, action) ? actions[action] : undefined;
    if (isRecord(entry)) return entry[hint] === true;
  }
  return isRecord(raw["annotations"]) && raw["annotations"][`${hint}Hint`] === true;
}

const timeHintNames: Readonly<Record<string, number>> = {
  timeout_ms: 1,
  timeout_millisecond: 1,
  timeout_second: 1_000,
  timeout_sec: 1_000,
};

/**
 * Returns the time that a call may take according to the definition, in milliseconds. The definition states this time
 * as `timeout_ms` or `timeout_seconds`, either in `_meta` under any prefix such as `example.com/`, or in the entry of
 * the action in `foundry-mcp/actions`.
 */
export function timeHintOf({ raw }: ToolDefinition, action: unknown): number | undefined {
  const meta = raw["_meta"];
  const actions = isRecord(meta) ? meta["foundry-mcp/actions"] : undefined;
  const entry = typeof action === "string" ? getOwn(actions, action) : undefined;
  return timeHintIn(entry) ?? timeHintIn(meta);
}

function timeHintIn(record: unknown): number | undefined {
  if (!isRecord(record)) return undefined;
  for (const [key, value] of Object.entries(record)) {
    const factor = getOwn(timeHintNames, normalizeKey(key.slice(key.lastIndexOf("/") + 1)));
    if (typeof factor === "number" && typeof value === "number" && value > 0) return value * factor;
  }
  return undefined;
}
