import type { CallsFile } from "../calls/calls-file.ts";
import { Coverage } from "../observe/coverage.ts";
import { type Operation, operationsOf, timeHintOf } from "../observe/definition.ts";
import type { Observation } from "../observe/observation.ts";
import { droppedOf, probeBudget, probeDropped } from "./fidelity.ts";
import { findWorkingCall } from "./find-working-call.ts";
import { runGivenCalls } from "./given-calls.ts";
import { judgeOfferedCursors } from "./judge-pages.ts";
import { probePaging } from "./paging.ts";
import { type Baseline, labelOf, type ProbeDeps } from "./probe.ts";
import { probeRefusals, probeUnknownAction, probeUnknownTool } from "./refusals.ts";
import { probeRepeat } from "./repeat.ts";

type OnProgress = (done: number, total: number, message: string) => void;

/** Maximum number of answers whose archived content is fetched. */
const maxReduced = 5;

/** Options of the probes. */
export interface ProbeOptions {
  readonly calls?: CallsFile | undefined;
  readonly onProgress?: OnProgress | undefined;
}

/** Makes all calls of a check, and returns the coverage of the tools. */
export async function runProbes(deps: ProbeDeps, options: ProbeOptions = {}): Promise<Coverage> {
  const { calls = { calls: [], values: new Map() }, onProgress = () => {} } = options;
  const { session, ledger, judge, pool, tools } = deps;
  const operations = tools.flatMap(operationsOf);
  const coverage = new Coverage(operations);
  const reduced: Observation[] = [];
  for (const { name, outputSchema, raw } of tools) judge.addTool(name, outputSchema, raw);
  for (const [name, values] of calls.values) pool.give(name, values);
  session.timeHintOf = (tool, args) => {
    const definition = tools.find(({ name }) => name === tool);
    return definition && timeHintOf(definition, args["action"]);
  };
  session.onObservation = (observation) => {
    coverage.add(observation);
    judge.observe(observation);
    const { ids, hashes } = droppedOf(observation);
    if (ids.length + hashes.length > 0 && reduced.length < maxReduced) reduced.push(observation);
  };
  for (const operation of operations)
    if (!operation.isReadOnly)
      coverage.explain(operation, "it does not say that it is read-only: name its calls with --calls");
  const given = await runGivenCalls(calls, operations, coverage, deps);
  const baselines = await probeOperations(operations, given, deps, coverage, onProgress);
  for (const tool of tools) {
    const own = operations.filter((operation) => operation.tool === tool.name);
    const baseline = baselines.find(({ operation }) => operation.tool === tool.name);
    await probeUnknownAction(tool, own, baseline, deps);
  }
  await probeUnknownTool(deps);
  // The loop iterates over a copy, because fetched content may be reduced too and would be added to the list.
  for (const observation of [...reduced]) await probeDropped(observation, deps);
  judge.settleDialect();
  if (judge.envelopes > 0) judgeOfferedCursors(operations, coverage, ledger);
  if (session.isCommand && session.calls > 0 && !ledger.isExercised("MCP-19")) ledger.pass("MCP-19");
  return coverage;
}

/**
 * Probes every operation that may be called, and returns the calls that succeeded. Operations with few required
 * arguments come first, because their answers may contain values that other operations need. Operations that failed
 * are tried again at the end.
 */
async function probeOperations(
  operations: readonly Operation[],
  given: readonly Baseline[],
  deps: ProbeDeps,
  coverage: Coverage,
  onProgress: OnProgress,
): Promise<readonly Baseline[]> {
  const { session, judge } = deps;
  const isGiven = ({ tool, action }: Operation) =>
    given.some(({ operation }) => operation.tool === tool && operation.action === action);
  const readOnly = operations.filter((operation) => operation.isReadOnly && !isGiven(operation));
  const baselines = [...given];
  const total = readOnly.length + given.length;
  let done = 0;
  const finish = async (baseline: Baseline) => {
    onProgress(++done, total, labelOf(baseline.operation));
    await judge.judgeReplySize(baseline.observation);
    // A call from the calls file may have side effects, so it is not repeated.
    if (baseline.operation.isReadOnly) await probeOperation(baseline, deps);
  };
  for (const baseline of given) await finish(baseline);
  let waiting = readOnly.toSorted((a, b) => requiredCount(a) - requiredCount(b));
  for (let round = 0; round < 2 && waiting.length > 0; round++) {
    const failed: Operation[] = [];
    for (const operation of waiting) {
      onProgress(done, total, labelOf(operation));
      const found = await findWorkingCall(operation, deps);
      if ("baseline" in found) {
        baselines.push(found.baseline);
        await finish(found.baseline);
        continue;
      }
      coverage.explain(operation, found.reason, found.hasNoData);
      failed.push(operation);
    }
    waiting = session.stopReason === undefined ? failed : [];
  }
  return baselines;
}

async function probeOperation(baseline: Baseline, deps: ProbeDeps): Promise<void> {
  // The repeated call runs first, before another call can change the answer.
  await probeRepeat(baseline, deps);
  await probeRefusals(baseline, deps);
  // The following two probes read the `meta` of envelopes.
  if (!deps.ledger.includes("MCP-41")) return;
  await probePaging(baseline, deps);
  await probeBudget(baseline, deps);
}

function requiredCount({ definition }: Operation): number {
  return definition.parameters.filter(({ name, isRequired }) => isRequired && name !== "action").length;
}
