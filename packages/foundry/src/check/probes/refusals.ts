import type { UnknownRecord } from "@foundry-mcp/contract";
import type { Parameter } from "../arguments/parameters.ts";
import { sampleValues } from "../arguments/sample-value.ts";
import { wrongTypeValue } from "../arguments/wrong-value.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, isRecord, isRefused, type Observation } from "../observe/observation.ts";
import type { RuleId } from "../rules/rules.ts";
import { type Base, type Probing, without } from "./probe.ts";

/** Of each kind of bad call so many are made for one subject. */
const mostOfAKind = 3;
const surplus = "foundry_check_unknown_argument";

/** Makes bad calls out of one that succeeded: each is to be refused. */
export async function probeRefusals(base: Base, probing: Probing): Promise<void> {
  const { subject, args } = base;
  const { parameters } = subject.definition;
  const own = parameters.filter(({ name }) => name !== "action");
  const required = own.filter(({ name, isRequired }) => isRequired || base.learned.includes(name));
  for (const { name } of required.slice(0, mostOfAKind)) {
    await expectRefusal(base, probing, "MCP-21", without(args, name), name, `${name} is missing`);
    await expectRefusal(base, probing, "MCP-23", { ...args, [name]: null }, name, `${name} is null`);
  }
  // Of a tool with actions only those are known to belong to this one that it was called with.
  const taken = subject.action === undefined ? own : own.filter(({ name }) => name in args);
  await probeWrongTypes(base, probing, taken);
  await probeOptional(
    base,
    probing,
    own.filter((parameter) => !required.includes(parameter)),
  );
  await probeSurplus(base, probing);
}

async function probeWrongTypes(base: Base, probing: Probing, taken: readonly Parameter[]): Promise<void> {
  const wrong = taken.flatMap(({ name, schema }) => {
    const found = wrongTypeValue(schema);
    return found === undefined ? [] : [{ name, ...found }];
  });
  for (const { name, value, kind } of wrong.slice(0, mostOfAKind)) {
    const args = { ...base.args, [name]: value };
    await expectRefusal(base, probing, "MCP-22", args, name, `${name} is ${kind}`);
  }
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
    done++;
    const observation = await probing.session.call(subject.tool, { ...args, [name]: null });
    if (!isAnswered(observation)) continue;
    const message = `${name} is optional, and null for it is refused`;
    probing.ledger.hold("MCP-24", isRefused(observation) ? evidenceOf(observation, message) : undefined);
  }
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
  rule: RuleId,
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
