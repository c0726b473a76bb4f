import type { CallsFile } from "../calls/calls-file.ts";
import { AnswerValues } from "../calls/fill-placeholders.ts";
import { unmetExpectations } from "../calls/unmet-expectations.ts";
import type { Operation } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, payloadOf } from "../observe/observation.ts";
import type { Baseline, ProbeDeps } from "./probe.ts";
import { judgeUnknownAction } from "./refusals.ts";

/** Makes the calls of the calls file, checks their expectations and returns those that succeeded. */
export async function runGivenCalls(
  file: CallsFile,
  operations: readonly Operation[],
  { session, ledger, pool, tools }: ProbeDeps,
): Promise<Baseline[]> {
  const baselines: Baseline[] = [];
  const answers = new AnswerValues();
  for (const call of file.calls) {
    if (session.stopReason !== undefined) break;
    const args = answers.fill(call.arguments ?? {});
    const observation = await session.call(call.tool, args);
    const { outcome, envelope } = observation;
    const code = envelope?.data["error_code"];
    const unmet = unmetExpectations(call, {
      success: isAnswered(observation) ? outcome === "success" : undefined,
      errorCode: typeof code === "string" ? code : undefined,
      data: payloadOf(observation),
    });
    // A call without expectations is no check.
    if (call.expect !== undefined || call.data !== undefined)
      ledger.record("MCP-20", unmet.length === 0 ? undefined : evidenceOf(observation, unmet.join("; ")));
    const { actions = [] } = tools.find(({ name }) => name === call.tool) ?? {};
    const { action } = args;
    // The probe of unknown actions skips tools that also write, so a call from the file counts.
    if (actions.length > 0 && typeof action === "string" && !actions.includes(action))
      judgeUnknownAction(observation, actions, ledger);
    if (outcome !== "success") continue;
    pool.learn(payloadOf(observation));
    answers.add(payloadOf(observation), call.name);
    const operation = operations.find(
      (each) => each.tool === call.tool && (each.action === undefined || each.action === action),
    );
    if (operation !== undefined) baselines.push({ operation, args, observation, requiredByServer: [] });
  }
  return baselines;
}
