import { detectDialect } from "@foundry-mcp/contract";
import type { Ledger } from "../findings/ledger.ts";
import type { Subject, ToolDefinition } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, isRefused, type Observation } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";
import { probeActions } from "./refusals.ts";

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
