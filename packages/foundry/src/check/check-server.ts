import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { ValuePool } from "./arguments/value-pool.ts";
import type { CallsFile } from "./calls/calls-file.ts";
import { checkNames } from "./calls/check-names.ts";
import type { PlannedCall } from "./calls/write-calls.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { Ledger } from "./findings/ledger.ts";
import { Judge } from "./judge/judge.ts";
import { judgeDefinitions, judgeOutputSchema } from "./judge/judge-definitions.ts";
import { operationsOf, readDefinition } from "./observe/definition.ts";
import { listTools } from "./observe/list-tools.ts";
import { type CheckTarget, Session } from "./observe/session.ts";
import { planCalls } from "./probes/plan-calls.ts";
import { runProbes } from "./probes/run-probes.ts";
import { type CheckFacts, toReport, unexercisedStatus } from "./report/to-report.ts";
import type { Profile } from "./rules/profiles.ts";

const defaultCallTimeoutMs = 5_000;
const defaultTotalTimeoutMs = 60_000;

/** Options of `checkServer`. */
export interface ServerCheckOptions {
  /** Calls to make in addition to the calls of read-only tools, and values for arguments. */
  readonly calls?: CallsFile | undefined;
  /** The rules to check against: all rules, or only those that need no envelopes. @default "contract" */
  readonly profile?: Profile | undefined;
  /** The dialect to check against. @default the dialect that the server speaks */
  readonly dialect?: Dialect | undefined;
  /** Time limit of one call. @default 5_000 */
  readonly callTimeoutMs?: number | undefined;
  /** Time limit of the whole check. @default 60_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** The protocol version to speak. @default "auto" */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** Secrets that were passed to the server. A failure that contains one of them is a leak. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the check. */
  readonly onProgress?: ((done: number, total: number, message: string) => void) | undefined;
  /** Receives a warning for each input that has no effect. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Receives suggested calls for the successes and failures that the check did not see. */
  readonly onPlannedCalls?: ((calls: readonly PlannedCall[]) => void) | undefined;
}

/**
 * Checks a server against the rules of the contract. The check calls only tools and actions that are marked
 * read-only, and the calls in `calls`. Throws a ContractError if the server cannot be reached or lists no tools, or
 * if `calls` names a tool that the server does not list.
 */
export async function checkServer(
  target: CheckTarget,
  options: ServerCheckOptions = {},
): Promise<CheckReport> {
  const started = performance.now();
  const { dialect, secrets = [], calls, onWarning, onProgress } = options;
  const { signal, protocol, profile = "contract" } = options;
  const { callTimeoutMs = defaultCallTimeoutMs, totalTimeoutMs = defaultTotalTimeoutMs } = options;
  const ledger = new Ledger(profile);
  const session = new Session(target, { callTimeoutMs, totalTimeoutMs, signal, protocol }, ledger);
  const judge = new Judge({
    ledger,
    dialect,
    secrets,
    folders: () => session.folders,
    given: () => session.givenPaths,
    budget: session.budget,
  });
  try {
    const { serverInfo, protocolVersion, listed, moreReason } = await connectAndList(session);
    const tools = listed.map(readDefinition).filter((tool) => tool !== undefined);
    if (calls !== undefined) checkNames(calls, tools, onWarning);
    await judgeDefinitions(listed, tools, ledger, () => session.stopReason !== undefined);
    const deps = { session, ledger, judge, pool: new ValuePool(), tools };
    const coverage = await runProbes(deps, { calls, onProgress });
    // Output schemas are checked here, because the dialect determines the failure that an output schema must admit,
    // and the dialect is known only now.
    for (const tool of tools) {
      if (session.budget.isSpent) break;
      const isHeld = profile === "contract" && judge.holdsFailuresToSchema(tool.name);
      session.budget.spend(() => judgeOutputSchema(tool, judge.dialect, ledger, isHeld));
    }
    const facts: CheckFacts = {
      profile,
      dialect: judge.dialect,
      stopReason: session.stopReason,
      tools: tools.length,
      answered: coverage.answered,
      envelopes: judge.envelopes,
      isCommand: session.isCommand,
    };
    const report = toReport({
      target: target.label,
      serverInfo,
      protocolVersion,
      facts,
      results: ledger.results((rule) => unexercisedStatus(rule, facts)),
      skips: ledger.skips(),
      findings: ledger.findings(),
      tools: coverage.tools(),
      moreReason,
      calls: session.calls,
      durationMs: performance.now() - started,
    });
    if (options.onPlannedCalls !== undefined) {
      const { unreached, refused } = await planCalls(tools.flatMap(operationsOf), coverage, deps);
      // If the check has seen a success of every operation, only a failure can be missing.
      const isDone = unreached.length > 0 || report.verdict === "passed";
      options.onPlannedCalls(isDone ? unreached : refused);
    }
    return report;
  } finally {
    await session.close();
  }
}

async function connectAndList(session: Session) {
  try {
    const { serverInfo, protocolVersion } = await session.open();
    return { serverInfo, protocolVersion, ...(await listTools(session)) };
  } catch (thrown) {
    throw withStderr(thrown, session);
  }
}

/** Adds the end of the server's stderr to an error, because stderr best explains why the server cannot be used. */
function withStderr(thrown: unknown, { stderr, isCommand }: Session): unknown {
  if (!isContractError(thrown) || !isCommand) return thrown;
  const { details, ...options } = thrown.options;
  const tail = stderr.trim().slice(-500);
  return new ContractError(thrown.message, {
    ...options,
    remediation: `Start the command by itself, and read its output.${tail === "" ? "" : ` It printed: ${mainLine(tail)}`}`,
    details: { ...details, ...(tail === "" ? {} : { stderr: tail }) },
    cause: thrown.cause,
  });
}

/** Returns the line of an output that most likely names the cause: the first line with an error, or else the last line. */
function mainLine(output: string): string {
  const lines = output.split("\n").map((line) => line.trim());
  const line = lines.find((each) => /error|cannot|not found/i.test(each)) ?? lines.at(-1) ?? "";
  return line.slice(0, 200);
}
