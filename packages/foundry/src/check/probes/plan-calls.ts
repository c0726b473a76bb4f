import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { isId, isToken } from "../arguments/token-links.ts";
import { isWaitParameter } from "../arguments/wait-parameters.ts";
import type { PlannedCall } from "../calls/write-calls.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Operation } from "../observe/definition.ts";
import { type OperationShape, readShape } from "./action-schema.ts";
import { stageOf, toCallOrder } from "./call-order.ts";
import { chooseValue, type ValueSource } from "./choose-value.ts";
import { labelOf, type ProbeDeps, without } from "./probe.ts";

/** Maximum number of optional parameters that a remark lists. */
const maxListed = 12;

interface EarlierCall {
  readonly operation: Operation;
  readonly call: string;
  readonly keys: readonly string[];
}

/** The state of the calls that were planned so far. */
interface Plan {
  /** Keys of the answers to these calls. */
  readonly answered: Set<string>;
  /** The calls, each with the keys of its answer. */
  readonly earlier: EarlierCall[];
  /** For each tool, the action that starts something. This action is likely to succeed as a step of a batch. */
  readonly starts: ReadonlyMap<string, string>;
  readonly pool: ProbeDeps["pool"];
}

/** The calls that the checker suggests to the user. */
export interface PlannedCalls {
  /** A call for each operation of which the check saw no success. */
  readonly unreached: readonly PlannedCall[];
  /** A call for each operation that the tool itself must refuse. Rules about failures may need such a call. */
  readonly refused: readonly PlannedCall[];
}

/** Plans calls for the successes and failures that the check did not see. */
export async function planCalls(
  operations: readonly Operation[],
  coverage: Coverage,
  deps: ProbeDeps,
): Promise<PlannedCalls> {
  const unseen = operations.filter((operation) => !coverage.hasSucceeded(operation));
  const changes = unseen.filter(({ isReadOnly }) => !isReadOnly);
  // Operations that only read often succeed by themselves once others have created data.
  const unreached = changes.length > 0 ? changes : unseen;
  const calls: PlannedCall[] = [];
  const starts = unreached.filter((operation) => stageOf(operation) === "start");
  const plan: Plan = {
    answered: new Set(),
    earlier: [],
    starts: new Map(starts.flatMap(({ tool, action }) => (action === undefined ? [] : [[tool, action]]))),
    pool: deps.pool,
  };
  for (const operation of toCallOrder(unreached)) {
    const shape = await readShape(operation, deps);
    const call = planCall(operation, shape, plan);
    calls.push(call);
    // A tool counts as checked only if one of its calls has also failed.
    if (operation.action === undefined) calls.push(planRefusal(operation, call));
    for (const key of shape.outputs) plan.answered.add(key);
    plan.earlier.push({ operation, call: call.name, keys: shape.outputs });
  }
  const refused: PlannedCall[] = [];
  for (const operation of operations)
    refused.push(toRefused(planCall(operation, await readShape(operation, deps), plan)));
  return { unreached: calls, refused };
}

/** Returns a planned call that the tool must refuse after the user has edited its arguments. */
function toRefused(call: PlannedCall): PlannedCall {
  const remark =
    "Change an argument so that the tool itself refuses the call: for example, an id that does not exist.";
  return { ...call, name: `${call.name} refused`, expect: "failure", remarks: [remark, ...call.remarks] };
}

function planCall(operation: Operation, { parameters, isExact }: OperationShape, plan: Plan): PlannedCall {
  const { tool, action } = operation;
  const known = parameters.filter(({ name }) => name !== "action");
  const wanted = wantedParameters(operation, known, plan);
  const sent: Record<string, unknown> = action === undefined ? {} : { action };
  const names = [...wanted].map(({ name }) => name);
  const sources: Record<ValueSource, string[]> = { answer: [], call: [], schema: [], none: [] };
  for (const parameter of known.filter((each) => wanted.has(each))) {
    const { value, source } = chooseValue(parameter, {
      used: sent,
      answered: plan.answered,
      earlier: findEarlier(operation, names, plan),
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

/** For each stage, the stage of the earlier call that identifies the object. */
const stageBefore = { end: "create", remove: "create", held: "claim", restore: "remove" } as const;

/**
 * Returns the earlier call that identifies the object of this call. Only an object that the check created is safe to
 * remove, and only a removed object can be restored. A token is valid only for the object that was claimed with it.
 */
function findEarlier(
  operation: Operation,
  names: readonly string[],
  { earlier }: Plan,
): EarlierCall | undefined {
  const stage = stageOf(operation);
  if (stage === "create" || stage === "claim" || stage === "start" || stage === "other") return undefined;
  const needed = names.filter((name) => isId(name) || (stage === "held" && isToken(name)));
  if (stage === "held" && !needed.some(isToken)) return undefined;
  return earlier.findLast(
    (each) =>
      each.operation.tool === operation.tool &&
      stageOf(each.operation) === stageBefore[stage] &&
      needed.every((name) => each.keys.includes(name)),
  );
}

/**
 * Returns the parameters to send: required parameters, waits, and parameters without which such an operation has no
 * effect.
 */
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

/** Returns an optional parameter for an operation that would otherwise change nothing. */
function findChange(
  { tool, action }: Operation,
  known: readonly Parameter[],
  wanted: ReadonlySet<Parameter>,
): Parameter | undefined {
  const verbs = /(?:^|[^a-z])(?:update|edit|move|patch|modify|rename|set)(?:[^a-z]|$)/i;
  if (!verbs.test(action ?? tool) || ![...wanted].every(({ name }) => isId(name))) return undefined;
  return known.find((each) => !wanted.has(each) && !isId(each.name) && !isCondition(each));
}

/** Returns true for a parameter that sets the conditions of a call rather than its effect. */
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

/** Plans a call that must be refused, because it lacks a required argument or has an unknown argument. */
function planRefusal(operation: Operation, { name, tool, arguments: args }: PlannedCall): PlannedCall {
  const required = operation.definition.parameters.find((parameter) => parameter.isRequired)?.name;
  const bad: UnknownRecord =
    required === undefined ? { ...args, foundry_check_unknown_argument: "x" } : without(args, required);
  const fault = required === undefined ? "with an unknown argument" : `without ${required}`;
  return { name: `${name} ${fault}`, tool, arguments: bad, expect: "failure", remarks: [] };
}
