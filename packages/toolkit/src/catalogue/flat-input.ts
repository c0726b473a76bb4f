import { internal } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { bounds, isCommonParameter, isImpliedByName, toFirstClause, withoutBounds } from "./brief-input.ts";
import { budgetParameter } from "./input-shape.ts";
import type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/** How much the flat schema tells of parameters: all, or what a first call needs. */
export type InputDetail = "full" | "brief";

export const inputDetails: readonly InputDetail[] = ["full", "brief"];

/**
 * The input schema that clients see: one flat object. Many clients reject a choice at the top, so the
 * parameters of all actions stand side by side, each saying which actions take it. A brief one leaves
 * out what `server(action="schema")` tells, and what a refusal would: the call is checked all the same.
 */
export function toFlatInput(tool: PreparedTool, detail: InputDetail): JsonSchema {
  const actions = [...tool.actions.values()];
  const [only] = actions;
  if (tool.isPlain && only !== undefined) {
    // What the action does not take is refused, so the schema says so.
    return { ...only.input.json, ...(only.input.isOpen ? {} : { additionalProperties: false }) };
  }
  const properties: Record<string, JsonSchema> = { action: toActionParameter(actions, detail) };
  const definitions: Record<string, unknown> = {};
  const names = new Set(actions.flatMap(({ input }) => [...input.parameters.keys()]));
  // What every action takes stands after what each is about.
  names.delete(budgetParameter);
  for (const name of [...names, budgetParameter]) {
    if (name === "action")
      throw internal(`Cannot declare tool ${tool.name}: an action takes a parameter called action`);
    properties[name] = mergeParameter(tool, name, actions, detail);
  }
  for (const { input, label } of actions) mergeDefinitions(definitions, input.json["$defs"], label);
  const required = actions.reduce<readonly string[]>(
    (common, { input }) => common.filter((name) => input.parameters.get(name)?.isRequired),
    Object.keys(properties).slice(1),
  );
  return {
    type: "object",
    properties,
    required: ["action", ...required],
    ...(Object.keys(definitions).length === 0 ? {} : { $defs: definitions }),
    ...(actions.some(({ input }) => input.isOpen) ? {} : { additionalProperties: false }),
  };
}

function toActionParameter(actions: readonly PreparedAction[], detail: InputDetail): JsonSchema {
  const lines = actions.map(({ name, definition: { description } }) => {
    if (description === undefined) return name;
    return `${name}: ${detail === "full" ? description : toFirstClause(description)}`;
  });
  return { type: "string", enum: actions.map(({ name }) => name), description: lines.join("\n") };
}

/** What a schema says for people; two actions may say it in other words. */
const annotations = ["description", "title", "default", "examples", "deprecated"];

function mergeParameter(
  tool: PreparedTool,
  name: string,
  actions: readonly PreparedAction[],
  detail: InputDetail,
): JsonSchema {
  const takers = actions.flatMap((action) => {
    const parameter = action.input.parameters.get(name);
    return parameter === undefined ? [] : [{ action, json: parameter.json }];
  });
  const [first, ...others] = takers;
  if (first === undefined) return {};
  for (const other of others) {
    if (toTypeKey(other.json) !== toTypeKey(first.json)) {
      throw internal(
        `Cannot declare tool ${tool.name}: parameter ${name} has one type in ${first.action.name} and another in ${other.action.name}`,
      );
    }
  }
  const merged = Object.fromEntries(
    Object.entries(first.json).filter(
      ([key, value]) => key !== "description" && others.every(({ json }) => isSame(json[key], value)),
    ),
  );
  if (detail === "full") return withDescription(merged, describe(takers, actions.length));
  if (takers.every(({ action }) => isCommonParameter(name, action))) return { type: merged["type"] };
  return withDescription(withoutBounds(merged), describeBriefly(name, takers, actions.length));
}

function withDescription(json: JsonSchema, description: string): JsonSchema {
  return description === "" ? json : { ...json, description };
}

interface Taker {
  readonly action: PreparedAction;
  readonly json: JsonSchema;
}

function describe(takers: readonly Taker[], count: number): string {
  const who = takers.length === count ? "" : `[${takers.map(({ action }) => action.name).join(", ")}]`;
  return [who, wordsOf(takers)].filter((part) => part !== "").join(" ");
}

/** What several actions take is told without their names; not told is what its own name says, and what stands behind a semicolon. */
function describeBriefly(name: string, takers: readonly Taker[], count: number): string {
  const [words = ""] = wordsOf(takers).split(/;(?=\s)/, 1);
  const told = isImpliedByName(words, name) ? "" : words;
  const [only, second] = takers;
  if (only === undefined || second !== undefined || count === 1) return told;
  return told === "" ? `[${only.action.name}]` : `${only.action.name}: ${told}`;
}

function wordsOf(takers: readonly Taker[]): string {
  return takers.map(({ json }) => json["description"]).find((text) => typeof text === "string") ?? "";
}

/** Equal for schemas that admit the same type, whatever they say for people and however far values may go. */
function toTypeKey(json: JsonSchema): string {
  return JSON.stringify(json, (_key, value: unknown) => {
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    const kept = Object.entries(value).filter(([key]) => ![...annotations, ...bounds].includes(key));
    return Object.fromEntries(kept.sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function mergeDefinitions(into: Record<string, unknown>, from: unknown, label: string): void {
  for (const [name, json] of Object.entries((from ?? {}) as Record<string, unknown>)) {
    if (Object.hasOwn(into, name) && !isSame(into[name], json)) {
      throw internal(`Cannot declare ${label}: two of the tool's actions define ${name} in different ways`);
    }
    into[name] = json;
  }
}
