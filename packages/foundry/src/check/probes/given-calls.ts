import type { UnknownRecord } from "@foundry-mcp/contract";
import { isId } from "../arguments/token-links.ts";
import type { CallsFile, ExpectedCall } from "../calls/calls-file.ts";
import { AnswerValues } from "../calls/fill-placeholders.ts";
import { unmetExpectations } from "../calls/unmet-expectations.ts";
import type { Coverage } from "../observe/coverage.ts";
import type { Operation } from "../observe/definition.ts";
import { evidenceOf } from "../observe/evidence.ts";
import { isAnswered, type Observation, payloadOf } from "../observe/observation.ts";
import { readShape } from "./action-schema.ts";
import { stageOf } from "./call-order.ts";
import { describeFailure, findWorkingCall } from "./find-working-call.ts";
import type { Baseline, ProbeDeps } from "./probe.ts";
import { judgeUnknownAction } from "./refusals.ts";

/** Makes the calls of the calls file, checks their expectations, and returns the calls that succeeded. */
export async function runGivenCalls(
  file: CallsFile,
  operations: readonly Operation[],
  coverage: Coverage,
  deps: ProbeDeps,
): Promise<Baseline[]> {
  const { session, pool } = deps;
  const baselines: Baseline[] = [];
  const answers = new AnswerValues();
  const make = async (call: ExpectedCall, isLast: boolean): Promise<boolean> => {
    const args = answers.fill(call.arguments);
    const operation = operations.find(
      (each) => each.tool === call.tool && (each.action === undefined || each.action === args["action"]),
    );
    const isSearched = file.search === true && call.expect !== "failure" && operation !== undefined;
    const baseline = isSearched
      ? await searchCall(operation, args, deps)
      : { operation, args, observation: await session.call(call.tool, args), requiredByServer: [] };
    const { observation } = baseline;
    const hasSucceeded = observation?.outcome === "success";
    if (observation === undefined || (isSearched && !hasSucceeded && !isLast)) return false;
    judgeCall(call, observation, deps);
    if (!hasSucceeded) {
      if (operation !== undefined && call.expect !== "failure")
        coverage.explain(operation, `its calls in the file fail: ${describeFailure(observation)}`);
      return true;
    }
    pool.learn(payloadOf(observation));
    answers.add(payloadOf(observation), call.name);
    const { tool, args: sent } = observation;
    if (stageOf({ tool, action: operation?.action }) === "remove") pool.forget(lastIdOf(sent));
    if (operation !== undefined) baselines.push({ ...baseline, operation, observation });
    return true;
  };
  const failed: ExpectedCall[] = [];
  for (const call of file.calls) {
    if (session.stopReason !== undefined) return baselines;
    if (!(await make(call, false))) failed.push(call);
  }
  // Failed calls are repeated once, because later calls may have created the objects that the failed calls need.
  for (const call of failed) if (session.stopReason === undefined) await make(call, true);
  return baselines;
}

/** Makes a call of the calls file. If the call fails, makes variants of the call. Returns the last call. */
async function searchCall(operation: Operation, args: UnknownRecord, deps: ProbeDeps) {
  const { parameters } = await readShape(operation, deps);
  const found = await findWorkingCall(operation, deps, { args, parameters });
  if ("baseline" in found) return found.baseline;
  return { args, observation: found.last, requiredByServer: [] };
}

/** Returns the id of the object of a call. This is the last id, because the last id is the most specific. */
function lastIdOf(args: UnknownRecord): unknown {
  return Object.entries(args).findLast(([name]) => isId(name))?.[1];
}

/** Checks the expectations of a call. */
function judgeCall(call: ExpectedCall, observation: Observation, { ledger, tools }: ProbeDeps): void {
  const { outcome, envelope, args } = observation;
  const code = envelope?.data["error_code"];
  const unmet = unmetExpectations(call, {
    success: isAnswered(observation) ? outcome === "success" : undefined,
    errorCode: typeof code === "string" ? code : undefined,
    data: payloadOf(observation),
  });
  // A call without expectations does not count as a check.
  if (call.expect !== undefined || call.data !== undefined)
    ledger.record("MCP-20", unmet.length === 0 ? undefined : evidenceOf(observation, unmet.join("; ")));
  const { actions = [] } = tools.find(({ name }) => name === call.tool) ?? {};
  const { action } = args;
  // The probe of unknown actions skips tools that also write, so a call from the file counts instead.
  if (actions.length > 0 && typeof action === "string" && !actions.includes(action))
    judgeUnknownAction(observation, actions, ledger);
}
