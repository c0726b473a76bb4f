import { detectDialect, isRecord, type UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { sampleValues } from "../arguments/sample-values.ts";
import { type WrongValue, wrongValues } from "../arguments/wrong-values.ts";
import type { Ledger } from "../findings/ledger.ts";
import type { Subject, ToolDefinition } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, isRefused, type Observation } from "../observe/observation.ts";
import type { CheckerRuleId } from "../rules/rules.ts";
import { compileSchema } from "../schemas/compile-schema.ts";
import { type Base, type Probing, without } from "./probe.ts";

/** Of each kind of bad call so many are made for one subject. */
const mostOfAKind = 3;
const surplus = "foundry_check_unknown_argument";

/** Makes bad calls out of one that succeeded: each is to be refused. */
export async function probeRefusals(base: Base, probing: Probing): Promise<void> {
  const { subject } = base;
  // An action is left out or mistaken where all of them are harmless: see `probeActions`.
  const own = subject.definition.parameters.filter(
    ({ name }) => name !== "action" || subject.action === undefined,
  );
  const required = own.filter(({ name, isRequired }) => isRequired || base.learned.includes(name));
  await probeRequired(base, probing, required.slice(0, mostOfAKind));
  // Of a tool with actions only those are known to belong to this one that it was called with.
  const taken = subject.action === undefined ? own : own.filter(({ name }) => name in base.args);
  await probeWrong(base, probing, taken);
  await probeOptional(
    base,
    probing,
    own.filter((parameter) => !required.includes(parameter)),
  );
  await probeSurplus(base, probing);
}

/** Leaves out, sends null for and mistakes the action of a tool whose actions are all harmless. */
export async function probeActions(base: Base, probing: Probing): Promise<void> {
  const { parameters } = base.subject.definition;
  const action = parameters.find(({ name, isRequired }) => name === "action" && isRequired);
  if (action === undefined) return;
  await probeRequired(base, probing, [action]);
  // An unknown one is a matter of its own.
  const [wrong] = wrongValues(action.schema);
  if (wrong !== undefined) await expectWrong(base, probing, "action", wrong);
}

async function probeRequired(base: Base, probing: Probing, required: readonly Parameter[]): Promise<void> {
  const { args } = base;
  for (const { name, schema } of required) {
    await expectRefusal(base, probing, "MCP-21", without(args, name), name, `${name} is missing`);
    // Some require an argument that may be null: then it is a value like any other.
    if (admitsNull(schema)) continue;
    await expectRefusal(base, probing, "MCP-23", { ...args, [name]: null }, name, `${name} is null`);
  }
}

function admitsNull(schema: Parameter["schema"]): boolean {
  const compiled = compileSchema(schema);
  return schema["nullable"] === true || (compiled.ok && compiled.check(null).length === 0);
}

async function probeWrong(base: Base, probing: Probing, taken: readonly Parameter[]): Promise<void> {
  const wrong = taken
    .map(({ name, schema }) => ({ name, values: wrongValues(schema) }))
    .filter(({ values }) => values.length > 0);
  for (const { name, values } of wrong.slice(0, mostOfAKind)) {
    for (const value of values) {
      // A limit out of range has a rule of its own.
      if (name === "limit" && typeof value.value === "number") continue;
      await expectWrong(base, probing, name, value);
    }
  }
}

function expectWrong(base: Base, probing: Probing, name: string, wrong: WrongValue): Promise<void> {
  const args = { ...base.args, [name]: wrong.value };
  return expectRefusal(base, probing, "MCP-22", args, name, `${name} is ${wrong.kind}`);
}

async function probeOptional(base: Base, probing: Probing, optional: readonly Parameter[]): Promise<void> {
  const { subject, args } = base;
  let done = 0;
  for (const { name, schema } of optional) {
    if (done >= mostOfAKind - 1) return;
    const [value] = sampleValues(schema);
    if (value === undefined || !probing.session.answers(subject.tool)) continue;
    // Only an argument that the subject takes can be left to null.
    const given = await probing.session.call(subject.tool, { ...args, [name]: value });
    if (given.outcome !== "success") continue;
    // What cannot be left out, for another is missing then, cannot be null either.
    if (name in args && !(await succeeds(base, probing, without(args, name)))) continue;
    done++;
    const observation = await probing.session.call(subject.tool, { ...args, [name]: null });
    if (!isAnswered(observation)) continue;
    const message = `${name} is optional, and null for it is refused`;
    probing.ledger.hold("MCP-24", isRefused(observation) ? evidenceOf(observation, message) : undefined);
  }
}

async function succeeds({ subject }: Base, { session }: Probing, args: UnknownRecord): Promise<boolean> {
  return session.answers(subject.tool) && (await session.call(subject.tool, args)).outcome === "success";
}

async function probeSurplus({ subject, args }: Base, { session, ledger }: Probing): Promise<void> {
  const { inputSchema } = subject.definition;
  // A schema that welcomes further arguments means it.
  const further = isRecord(inputSchema) ? inputSchema["additionalProperties"] : undefined;
  if (further === true || isRecord(further) || !session.answers(subject.tool)) return;
  const observation = await session.call(subject.tool, { ...args, [surplus]: "x" });
  if (!isAnswered(observation)) return;
  const message = `an argument that it does not know is ignored: ${surplus}`;
  ledger.hold("MCP-25", isRefused(observation) ? undefined : evidenceOf(observation, message));
}

async function expectRefusal(
  { subject }: Base,
  { session, ledger }: Probing,
  rule: CheckerRuleId,
  args: UnknownRecord,
  name: string,
  fault: string,
): Promise<void> {
  if (!session.answers(subject.tool)) return;
  const observation = await session.call(subject.tool, args);
  if (!isAnswered(observation)) return;
  const message = `the call succeeds although ${fault}`;
  ledger.hold(rule, isRefused(observation) ? undefined : evidenceOf(observation, message));
  if (isRefused(observation)) judgeRefusal(observation, name, ledger);
}

/** A refusal is of use where it says whose fault it is and which argument's. */
function judgeRefusal(observation: Observation, name: string, ledger: Probing["ledger"]): void {
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
  ledger.hold("MCP-29", found === undefined ? undefined : evidenceOf(observation, found));
}

const unknownTool = "foundry_check_no_such_tool";
const unknownAction = "foundry-check-no-such-action";

/** Calls a tool that is not there. */
export async function probeUnknownTool({ session, ledger }: Probing): Promise<void> {
  if (session.exhausted !== undefined) return;
  const observation = await session.call(unknownTool, {});
  const { reply, envelope } = observation;
  if (!isAnswered(observation)) return;
  const message = "a tool that does not exist answers with a success";
  ledger.hold("MCP-27", isRefused(observation) ? undefined : evidenceOf(observation, message));
  if (!isRefused(observation)) return;
  const isTold = reply.kind === "error" ? detectDialect(reply.data) !== null : envelope !== undefined;
  ledger.hold("MCP-30", isTold ? undefined : evidenceOf(observation, "the refusal carries no envelope"));
}

/** Calls an action that is not there, and none at all, of tools that it can do no harm to. */
export async function probeUnknownAction(
  { name, actions }: ToolDefinition,
  subjects: readonly Subject[],
  base: Base | undefined,
  probing: Probing,
): Promise<void> {
  const { session, ledger } = probing;
  if (actions.length === 0 || !session.answers(name)) return;
  // Where a server took an unknown action for another, that one must be harmless.
  if (!subjects.every(({ isReadOnly }) => isReadOnly)) return;
  judgeUnknownAction(await session.call(name, { action: unknownAction }), actions, ledger);
  if (base !== undefined) await probeActions(base, probing);
}

/** Holds the answer to an action that the tool does not have to the rules of such refusals. */
export function judgeUnknownAction(
  observation: Observation,
  actions: readonly string[],
  ledger: Ledger,
): void {
  if (!isAnswered(observation)) return;
  const message = `the action "${String(observation.args["action"])}", which it does not have, succeeds`;
  ledger.hold("MCP-26", isRefused(observation) ? undefined : evidenceOf(observation, message));
  const { envelope } = observation;
  if (envelope === undefined || envelope.success) return;
  const told = JSON.stringify([envelope.error, envelope.data]);
  const isNamed = actions.some((action) => told.includes(JSON.stringify(action).slice(1, -1)));
  ledger.hold("MCP-31", isNamed ? undefined : evidenceOf(observation, "none of its actions is named"));
}
