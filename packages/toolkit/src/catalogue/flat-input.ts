import { internal } from "@foundry-mcp/contract";
import type { JsonSchema } from "../schema/schema.ts";
import { bounds, isCommonParameter, isImpliedByName, withoutBounds } from "./brief-input.ts";
import { budgetParameter } from "./input-shape.ts";
import type { PreparedAction, PreparedTool } from "./prepared-tool.ts";

/**
 * The level of detail of the flat schema: "full" describes each parameter completely, "brief" only as far as a
 * first call needs.
 */
export type InputDetail = "full" | "brief";

export const inputDetails: readonly InputDetail[] = ["full", "brief"];

/**
 * Creates the input schema that clients see: one flat object. Many clients reject `oneOf` at the root, so the
 * schema has the parameters of all actions and names, for each parameter, the actions that take it. A brief schema
 * leaves out details that `server(action="schema")` and validation errors show; calls are still validated
 * completely.
 */
export function toFlatInput(tool: PreparedTool, detail: InputDetail): JsonSchema {
  const actions = [...tool.actions.values()];
  const [only] = actions;
  if (tool.isPlain && only !== undefined) {
    // Unknown parameters are refused, so the schema must not admit them.
    return { ...only.input.json, ...(only.input.isOpen ? {} : { additionalProperties: false }) };
  }
  const properties: Record<string, JsonSchema> = { action: toActionParameter(actions, detail) };
  const definitions: Record<string, unknown> = {};
  const names = new Set(actions.flatMap(({ input }) => [...input.parameters.keys()]));
  // The token budget is listed last, because every action takes this parameter.
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
  const lines = actions.map((action) => {
    const { description } = action.definition;
    const head = detail === "full" ? action.name : toSignature(action);
    return description === undefined ? head : `${head}: ${description}`;
  });
  return { type: "string", enum: actions.map(({ name }) => name), description: lines.join("\n") };
}

/** Formats an action with its required parameters as a function signature: `complete(spec_id, task_id)`. */
function toSignature({ name, input }: PreparedAction): string {
  const required = [...input.parameters].filter(([, { isRequired }]) => isRequired);
  return `${name}(${required.map(([parameter]) => parameter).join(", ")})`;
}

/**
 * The JSON Schema keywords that only describe a value. The schemas of two actions may differ in these
 * keywords and still have the same type.
 */
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
  return withDescription(withoutBounds(merged), describeBriefly(name, takers, actions));
}

function withDescription(json: JsonSchema, description: string): JsonSchema {
  return description === "" ? json : { ...json, description };
}

interface Taker {
  readonly action: PreparedAction;
  readonly json: JsonSchema;
}

function describe(takers: readonly Taker[], count: number): string {
  const prefix = takers.length === count ? "" : `[${takers.map(({ action }) => action.name).join(", ")}]`;
  return [prefix, wordsOf(takers)].filter((part) => part !== "").join(" ");
}

/**
 * Creates the brief description of a parameter: each text with the actions to which the text applies. A description
 * that only repeats the parameter name is left out.
 */
function describeBriefly(name: string, takers: readonly Taker[], actions: readonly PreparedAction[]): string {
  const texts = new Map<string, PreparedAction[]>();
  const [implied, silent]: [PreparedAction[], PreparedAction[]] = [[], []];
  for (const { action, json } of takers) {
    const { description } = json;
    const text = typeof description === "string" ? toFirstSentence(description) : "";
    if (text !== "" && !isImpliedByName(text, name)) texts.set(text, [...(texts.get(text) ?? []), action]);
    // The signatures already show which actions require the parameter.
    else if (!isRequiredIn(name, action)) (text === "" ? silent : implied).push(action);
  }
  const parts = [...texts].map(([text, of]) => {
    const where = of.length === actions.length ? "" : toWhere(name, of, actions);
    return [where, text].filter((part) => part !== "").join(": ");
  });
  const isRequired = takers.some(({ action }) => isRequiredIn(name, action));
  // A parameter with a self-explanatory name needs no list of actions. If other actions are listed anyway,
  // all actions are listed, because an incomplete list would mislead.
  const others = isRequired || texts.size > 0 ? [...implied, ...silent] : silent;
  if (others.length === 0 || others.length === actions.length) return parts.join(". ");
  const lead = isRequired ? "Optional in" : texts.size > 0 ? "Also" : "For";
  return [...parts, `${lead} ${toWhere(name, others, actions)}`].join(". ");
}

/**
 * Lists the names of actions; returns "Changes" if the list contains most of the changing actions, and
 * "Reads" if it contains most of the read-only actions.
 */
function toWhere(
  name: string,
  takers: readonly PreparedAction[],
  actions: readonly PreparedAction[],
): string {
  if (takers.every((action) => isRequiredIn(name, action))) return "";
  const isRead = takers[0]?.hints.readOnly === true;
  const alike = actions.filter(({ hints }) => hints.readOnly === isRead);
  const isMost = takers.length >= 3 && takers.length * 2 > alike.length;
  if (isMost && takers.every((action) => alike.includes(action))) return isRead ? "Reads" : "Changes";
  return takers.map((action) => action.name).join(", ");
}

function isRequiredIn(name: string, { input }: PreparedAction): boolean {
  return input.parameters.get(name)?.isRequired === true;
}

/**
 * Returns the first sentence of a description, which defines the parameter. The other sentences are only
 * shown to people and by `server(action="schema")`.
 */
function toFirstSentence(text: string): string {
  return text.split(/\.\s/, 1)[0] ?? text;
}

function wordsOf(takers: readonly Taker[]): string {
  return takers.map(({ json }) => json["description"]).find((text) => typeof text === "string") ?? "";
}

/** Returns a key that is equal for schemas of the same type, regardless of annotations and bounds. */
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
