import { detectDialect, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { isWaitParameter } from "../arguments/wait-parameters.ts";
import { type WrongValue, wrongValues } from "../arguments/wrong-values.ts";
import type { Ledger } from "../findings/ledger.ts";
import type { Operation, ToolDefinition } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, isRefused, type Observation } from "../observe/observation.ts";
import type { CheckerRuleId } from "../rules/rules.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { type Baseline, type ProbeDeps, without } from "./probe.ts";

/** Maximum number of bad calls of each kind for one operation. */
const maxOfAKind = 3;
const unknownArgument = "foundry_check_unknown_argument";

/** Turns a call that succeeded into bad calls, each of which must be refused. */
export async function probeRefusals(baseline: Baseline, deps: ProbeDeps): Promise<void> {
  const { operation } = baseline;
  // `probeActions` tests the action parameter, and only if all actions are read-only.
  const own = operation.definition.parameters.filter(
    ({ name }) => name !== "action" || operation.action === undefined,
  );
  const required = own.filter(
    ({ name, isRequired }) => isRequired || baseline.requiredByServer.includes(name),
  );
  await probeRequired(baseline, deps, required.slice(0, maxOfAKind));
  // If a tool has actions, only the arguments of the successful call certainly belong to this action.
  const taken = operation.action === undefined ? own : own.filter(({ name }) => name in baseline.args);
  await probeWrong(baseline, deps, taken);
  await probeOptional(
    baseline,
    deps,
    // Wait parameters are left out. If a wait is missing or null, the server decides how long the call waits.
    own.filter((parameter) => !required.includes(parameter) && !isWaitParameter(parameter)),
  );
  await probeUnknownArgument(baseline, deps);
}

/** Checks that a missing, null or wrong action is refused, for a tool whose actions are all read-only. */
async function probeActions(baseline: Baseline, deps: ProbeDeps): Promise<void> {
  const { parameters } = baseline.operation.definition;
  const action = parameters.find(({ name, isRequired }) => name === "action" && isRequired);
  if (action === undefined) return;
  await probeRequired(baseline, deps, [action]);
  // `probeUnknownAction` tests an unknown action.
  const [wrong] = wrongValues(action.schema);
  if (wrong !== undefined) await expectWrong(baseline, deps, "action", wrong);
}

async function probeRequired(
  baseline: Baseline,
  deps: ProbeDeps,
  required: readonly Parameter[],
): Promise<void> {
  const { args } = baseline;
  for (const { name, schema } of required) {
    await expectRefusal(baseline, deps, "MCP-21", without(args, name), name, `${name} is missing`);
    // A required argument may be nullable.
    if (admitsNull(schema)) continue;
    await expectRefusal(baseline, deps, "MCP-23", { ...args, [name]: null }, name, `${name} is null`);
  }
}

function admitsNull(schema: Parameter["schema"]): boolean {
  const compiled = compileSchema(schema);
  return schema["nullable"] === true || (compiled.ok && compiled.check(null).length === 0);
}

async function probeWrong(baseline: Baseline, deps: ProbeDeps, taken: readonly Parameter[]): Promise<void> {
  const wrong = taken
    .map(({ name, schema }) => ({ name, values: wrongValues(schema) }))
    .filter(({ values }) => values.length > 0);
  for (const { name, values } of wrong.slice(0, maxOfAKind)) {
    for (const value of values) {
      // Another rule covers a limit that is out of range.
      if (name === "limit" && typeof value.value === "number") continue;
      await expectWrong(baseline, deps, name, value);
    }
  }
}

function expectWrong(baseline: Baseline, deps: ProbeDeps, name: string, wrong: WrongValue): Promise<void> {
  const args = { ...baseline.args, [name]: wrong.value };
  return expectRefusal(baseline, deps, "MCP-22", args, name, `${name} is ${wrong.kind}`);
}

async function probeOptional(
  baseline: Baseline,
  deps: ProbeDeps,
  optional: readonly Parameter[],
): Promise<void> {
  const { operation, args } = baseline;
  let done = 0;
  for (const { name, schema } of optional) {
    if (done >= maxOfAKind - 1) return;
    const [value] = sampleValues(schema);
    if (value === undefined || !deps.session.isCallable(operation.tool)) continue;
    // The check applies only to an argument that the operation takes.
    const given = await deps.session.call(operation.tool, { ...args, [name]: value });
    if (given.outcome !== "success") continue;
    // An argument does not have to accept null if it cannot be omitted here, because another argument is then
    // missing.
    if (name in args && !(await succeeds(baseline, deps, without(args, name)))) continue;
    done++;
    const observation = await deps.session.call(operation.tool, { ...args, [name]: null });
    if (!isAnswered(observation)) continue;
    const message = `${name} is optional, and null for it is refused`;
    deps.ledger.record("MCP-24", isRefused(observation) ? evidenceOf(observation, message) : undefined);
  }
}

async function succeeds(
  { operation }: Baseline,
  { session }: ProbeDeps,
  args: UnknownRecord,
): Promise<boolean> {
  return (
    session.isCallable(operation.tool) && (await session.call(operation.tool, args)).outcome === "success"
  );
}

async function probeUnknownArgument(
  { operation, args }: Baseline,
  { session, ledger }: ProbeDeps,
): Promise<void> {
  const { inputSchema } = operation.definition;
  // A schema may explicitly admit further arguments.
  const further = isRecord(inputSchema) ? inputSchema["additionalProperties"] : undefined;
  if (further === true || isRecord(further) || !session.isCallable(operation.tool)) return;
  const observation = await session.call(operation.tool, { ...args, [unknownArgument]: "x" });
  if (!isAnswered(observation)) return;
  const message = `an argument that it does not know is ignored: ${unknownArgument}`;
  ledger.record("MCP-25", isRefused(observation) ? undefined : evidenceOf(observation, message));
}

async function expectRefusal(
  { operation }: Baseline,
  { session, ledger }: ProbeDeps,
  rule: CheckerRuleId,
  args: UnknownRecord,
  name: string,
  fault: string,
): Promise<void> {
  if (!session.isCallable(operation.tool)) return;
  const observation = await session.call(operation.tool, args);
  if (!isAnswered(observation)) return;
  const message = `the call succeeds although ${fault}`;
  ledger.record(rule, isRefused(observation) ? undefined : evidenceOf(observation, message));
  if (isRefused(observation)) judgeRefusal(observation, name, ledger);
}

/** Checks that a refusal has the type validation and names the argument. */
function judgeRefusal(observation: Observation, name: string, ledger: Ledger): void {
  const { envelope } = observation;
  if (envelope === undefined || envelope.success) return;
  const { error_type: type } = envelope.data;
  const isNamed = JSON.stringify([envelope.error, envelope.data]).includes(name);
  const found =
    type !== "validation"
      ? `the refusal is of type ${String(type)}, not validation`
      : isNamed
        ? undefined
        : `the refusal does not name the argument ${name}`;
  ledger.record("MCP-29", found === undefined ? undefined : evidenceOf(observation, found));
}

const unknownTool = "foundry_check_no_such_tool";
const unknownAction = "foundry-check-no-such-action";

/** Checks that a call of an unknown tool is refused. */
export async function probeUnknownTool({ session, ledger, judge }: ProbeDeps): Promise<void> {
  if (session.stopReason !== undefined) return;
  const observation = await session.call(unknownTool, {});
  const { reply, envelope } = observation;
  if (!isAnswered(observation)) return;
  const message = "a tool that does not exist answers with a success";
  ledger.record("MCP-27", isRefused(observation) ? undefined : evidenceOf(observation, message));
  // A server that never sends envelopes need not put an envelope into this error.
  if (!isRefused(observation) || judge.envelopes === 0) return;
  const hasEnvelope = reply.kind === "error" ? detectDialect(reply.data) !== null : envelope !== undefined;
  ledger.record(
    "MCP-30",
    hasEnvelope ? undefined : evidenceOf(observation, "the refusal carries no envelope"),
  );
}

/** Checks that an unknown action is refused, for a tool whose actions are all read-only. */
export async function probeUnknownAction(
  { name, actions }: ToolDefinition,
  operations: readonly Operation[],
  baseline: Baseline | undefined,
  deps: ProbeDeps,
): Promise<void> {
  const { session, ledger } = deps;
  if (actions.length === 0 || !session.isCallable(name)) return;
  // The server might run another action instead of the unknown one, so all actions must be read-only.
  if (!operations.every(({ isReadOnly }) => isReadOnly)) return;
  judgeUnknownAction(await session.call(name, { action: unknownAction }), actions, ledger);
  if (baseline !== undefined) await probeActions(baseline, deps);
}

/** Checks the answer to an unknown action. The answer must be a refusal that lists the known actions. */
export function judgeUnknownAction(
  observation: Observation,
  actions: readonly string[],
  ledger: Ledger,
): void {
  if (!isAnswered(observation)) return;
  const message = `the action "${String(observation.args["action"])}", which it does not have, succeeds`;
  ledger.record("MCP-26", isRefused(observation) ? undefined : evidenceOf(observation, message));
  const { envelope } = observation;
  if (envelope === undefined || envelope.success) return;
  const text = JSON.stringify([envelope.error, envelope.data]);
  const isNamed = actions.some((action) => text.includes(JSON.stringify(action).slice(1, -1)));
  ledger.record("MCP-31", isNamed ? undefined : evidenceOf(observation, "none of its actions is named"));
}
