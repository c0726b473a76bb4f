import { isRecord } from "@foundry-mcp/contract";
import { type Parameter, parametersOf } from "../arguments/parameters.ts";
import type { Operation } from "../observe/definition.ts";
import { payloadOf } from "../observe/observation.ts";
import { getOwn, toList } from "../schemas/json-schema.ts";
import type { ProbeDeps } from "./probe.ts";

/** What is known of the input and output of one operation. */
export interface OperationShape {
  readonly parameters: readonly Parameter[];
  /** False if the definition speaks of all actions at once, and nothing tells more. */
  readonly isExact: boolean;
  /** The keys of its payload that its output schema names. */
  readonly outputs: readonly string[];
}

/**
 * Returns the shape of one operation. Of a tool with actions, the definition says only what all of them take; servers
 * of the toolkit tell more by `server(action="schema")`.
 */
export async function readShape(operation: Operation, deps: ProbeDeps): Promise<OperationShape> {
  const known = shapes.get(operation);
  if (known !== undefined) return known;
  const shape = await askForShape(operation, deps);
  shapes.set(operation, shape);
  return shape;
}

/** Asked for once: a call of the file may be searched twice. */
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

function outputsIn(schema: unknown): readonly string[] {
  const properties = getOwn(schema, "properties");
  return isRecord(properties) ? Object.keys(properties) : [];
}
