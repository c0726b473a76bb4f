import type { CallsFile } from "../calls/calls-file.ts";
import { unmetExpectations } from "../calls/meets-expectation.ts";
import type { Subject } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, payloadOf } from "../observe/observation.ts";
import type { Base, Probing } from "./probe.ts";
import { judgeUnknownAction } from "./refusals.ts";

/** Makes the calls that the user has given; those that succeed are what further calls start from. */
export async function makeGivenCalls(
  file: CallsFile,
  subjects: readonly Subject[],
  { session, ledger, pool, tools }: Probing,
): Promise<Base[]> {
  const bases: Base[] = [];
  for (const call of file.calls) {
    if (session.exhausted !== undefined) break;
    const args = call.arguments ?? {};
    const observation = await session.call(call.tool, args);
    const { outcome, envelope } = observation;
    const code = envelope?.data["error_code"];
    const unmet = unmetExpectations(call, {
      success: isAnswered(observation) ? outcome === "success" : undefined,
      errorCode: typeof code === "string" ? code : undefined,
      data: payloadOf(observation),
    });
    // A call of which nothing is expected shows nothing.
    if (call.expect !== undefined || call.data !== undefined)
      ledger.hold("MCP-20", unmet.length === 0 ? undefined : evidenceOf(observation, unmet.join("; ")));
    const { actions = [] } = tools.find(({ name }) => name === call.tool) ?? {};
    const { action } = args;
    // Of a tool that also writes nobody else asks for an action that it does not have.
    if (actions.length > 0 && typeof action === "string" && !actions.includes(action))
      judgeUnknownAction(observation, actions, ledger);
    if (outcome !== "success") continue;
    pool.learn(payloadOf(observation));
    const subject = subjects.find(
      (each) => each.tool === call.tool && (each.action === undefined || each.action === action),
    );
    if (subject !== undefined) bases.push({ subject, args, observation, learned: [] });
  }
  return bases;
}
