import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { isWaitParameter } from "../arguments/wait-parameters.ts";
import type { PlannedCall } from "../calls/write-calls.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Operation } from "../observe/definition.ts";
import { type OperationShape, readShape } from "./action-schema.ts";
import { stageOf, toCallOrder } from "./call-order.ts";
import { chooseValue, isId, type ValueSource } from "./choose-value.ts";
import { labelOf, type ProbeDeps, without } from "./probe.ts";

/** So many names of optional parameters are listed in a remark. */
const maxListed = 12;

/** What is known of the calls that were planned so far. */
interface Plan {
  /** Keys of their answers. */
  readonly answered: Set<string>;
  /** Calls that create something, with the keys of their answers. */
  readonly created: { readonly tool: string; readonly call: string; readonly keys: readonly string[] }[];
  /** By tool, the action that starts something: a step of a batch that is likely to succeed. */
  readonly starts: ReadonlyMap<string, string>;
  readonly pool: ProbeDeps["pool"];
}

/** Plans a call for each operation that was not reached because it may change something. */
export async function planCalls(
  operations: readonly Operation[],
  coverage: Coverage,
  deps: ProbeDeps,
): Promise<readonly PlannedCall[]> {
  const unreached = operations.filter(
    (operation) => !operation.isReadOnly && !coverage.hasSucceeded(operation),
  );
  const calls: PlannedCall[] = [];
  const starts = unreached.filter((operation) => stageOf(operation) === "start");
  const plan: Plan = {
    answered: new Set(),
    created: [],
    starts: new Map(starts.flatMap(({ tool, action }) => (action === undefined ? [] : [[tool, action]]))),
    pool: deps.pool,
  };
  for (const operation of toCallOrder(unreached)) {
    const shape = await readShape(operation, deps);
    const call = planCall(operation, shape, plan);
    calls.push(call);
    // A tool counts as checked once a call of it has failed too.
    if (operation.action === undefined) calls.push(planRefusal(operation, call));
    for (const key of shape.outputs) plan.answered.add(key);
    if (stageOf(operation) === "create")
      plan.created.push({ tool: operation.tool, call: call.name, keys: shape.outputs });
  }
  return calls;
}

function planCall(operation: Operation, { parameters, isExact }: OperationShape, plan: Plan): PlannedCall {
  const { tool, action } = operation;
  const known = parameters.filter(({ name }) => name !== "action");
  const wanted = wantedParameters(operation, known, plan);
  const sent: Record<string, unknown> = action === undefined ? {} : { action };
  const ids = [...wanted].map(({ name }) => name).filter((name) => isId(name));
  const creator = plan.created.findLast(
    (each) => each.tool === tool && ids.every((name) => each.keys.includes(name)),
  );
  const sources: Record<ValueSource, string[]> = { answer: [], call: [], schema: [], none: [] };
  for (const parameter of known.filter((each) => wanted.has(each))) {
    const { value, source } = chooseValue(parameter, {
      used: sent,
      answered: plan.answered,
      // What the check has created can be removed without harm.
      created: stageOf(operation) === "remove" ? creator : undefined,
      step: plan.starts.get(tool),
      pool: plan.pool,
    });
    sources[source].push(parameter.name);
    if (value !== undefined) sent[parameter.name] = value;
  }
  const others = known.filter((each) => !wanted.has(each)).map(({ name }) => name);
  const remarks = [
    ...remarkOn(sources.answer, "from answers of the server"),
    ...remarkOn(sources.call, "taken from the answer to an earlier call of this file"),
    ...remarkOn(sources.schema, "made up from the schema: edit it", "made up from the schema: edit them"),
    ...remarkOn(sources.none, "without a value that fits: add it", "without values that fit: add them"),
    ...(others.length === 0 ? [] : [toOthersRemark(others, isExact)]),
  ];
  return { name: labelOf(operation), tool, arguments: sent, remarks };
}

/** Returns the parameters to send: the required ones, waits, and what such an operation does not do without. */
function wantedParameters(
  operation: Operation,
  known: readonly Parameter[],
  { answered }: Plan,
): ReadonlySet<Parameter> {
  const wanted = new Set(known.filter((parameter) => parameter.isRequired || isWaitParameter(parameter)));
  if (stageOf(operation) === "held")
    for (const each of known) if (isCondition(each) && answered.has(each.name)) wanted.add(each);
  const change = findChange(operation, known, wanted);
  if (change !== undefined) wanted.add(change);
  return wanted;
}

/** Returns an optional parameter for an operation that would otherwise be asked to change nothing. */
function findChange(
  { tool, action }: Operation,
  known: readonly Parameter[],
  wanted: ReadonlySet<Parameter>,
): Parameter | undefined {
  const verbs = /(?:^|[^a-z])(?:update|edit|move|patch|modify|rename|set)(?:[^a-z]|$)/i;
  if (!verbs.test(action ?? tool) || ![...wanted].every(({ name }) => isId(name))) return undefined;
  return known.find((each) => !wanted.has(each) && !isId(each.name) && !isCondition(each));
}

/** Parameters that say under which conditions a call is made, not what it does. */
function isCondition({ name }: Parameter): boolean {
  return /^(?:if_|max_|dry_?run$|force$|confirm$|limit$|cursor$)|_(?:key|token)$/i.test(name);
}

function toOthersRemark(names: readonly string[], isExact: boolean): string {
  const listed = names.slice(0, maxListed).join(", ") + (names.length > maxListed ? ", …" : "");
  return isExact
    ? `It also takes: ${listed}.`
    : `The definition does not say what this action needs; add it. The tool takes: ${listed}.`;
}

function remarkOn(names: readonly string[], one: string, several = one): readonly string[] {
  if (names.length === 0) return [];
  return [`${names.join(", ")}: ${names.length === 1 ? one : several}.`];
}

/** A call without a required argument, or with an unknown one, must be refused. */
function planRefusal(operation: Operation, { name, tool, arguments: args }: PlannedCall): PlannedCall {
  const required = operation.definition.parameters.find((parameter) => parameter.isRequired)?.name;
  const bad: UnknownRecord =
    required === undefined ? { ...args, foundry_check_unknown_argument: "x" } : without(args, required);
  const fault = required === undefined ? "with an unknown argument" : `without ${required}`;
  return { name: `${name} ${fault}`, tool, arguments: bad, expect: "failure", remarks: [] };
}
