import { isRecord } from "@foundry-mcp/contract";
import { type Parameter, parametersOf } from "../arguments/parameters.ts";
import type { Operation } from "../observe/definition.ts";
import { payloadOf } from "../observe/observation.ts";
import { getOwn, toList } from "../schemas/json-schema.ts";
import type { ProbeDeps } from "./probe.ts";

/** The known input and output of one operation. */
export interface OperationShape {
  readonly parameters: readonly Parameter[];
  /** False if the definition describes all actions together and no other source describes each of them. */
  readonly isExact: boolean;
  /** The keys of the operation's payload that its output schema names. */
  readonly outputs: readonly string[];
}

/**
 * Returns the shape of one operation. The definition of a tool with actions describes only what all actions have in
 * common. Servers built with the toolkit return the details of one action with `server(action="schema")`.
 */
export async function readShape(operation: Operation, deps: ProbeDeps): Promise<OperationShape> {
  const known = shapes.get(operation);
  if (known !== undefined) return known;
  const shape = await askForShape(operation, deps);
  shapes.set(operation, shape);
  return shape;
}

/** The shapes are cached, because the checker may search arguments for a call of the calls file twice. */
const shapes = new WeakMap<Operation, OperationShape>();

async function askForShape(
  { definition, tool, action }: Operation,
  { session, tools }: ProbeDeps,
): Promise<OperationShape> {
  const { parameters, outputSchema } = definition;
  const known = { parameters, isExact: action === undefined, outputs: outputsIn(outputSchema) };
  const reference = tools.find(({ name, actions }) => name === "server" && actions.includes("schema"));
  if (action === undefined || reference === undefined || !session.isCallable("server")) return known;
  const observation = await session.call("server", { action: "schema", tool, for_action: action });
  const actions = observation.outcome === "success" ? getOwn(payloadOf(observation), "actions") : undefined;
  const entry = toList(actions).find((each) => getOwn(each, "action") === action);
  const input = getOwn(entry, "input");
  if (!isRecord(input)) return known;
  return { parameters: parametersOf(input), isExact: true, outputs: outputsIn(getOwn(entry, "output")) };
}

/**
 * Returns the keys that a schema and its alternatives name. An action may have one output if it found something, and
 * another output if it found nothing.
 */
function outputsIn(schema: unknown): readonly string[] {
  const alternatives = ["anyOf", "oneOf"].flatMap((keyword) => toList(getOwn(schema, keyword)));
  const properties = [schema, ...alternatives].map((each) => getOwn(each, "properties")).filter(isRecord);
  return [...new Set(properties.flatMap((each) => Object.keys(each)))];
}
