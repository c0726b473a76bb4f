import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { ValuePool } from "./arguments/value-pool.ts";
import type { CallsFile } from "./calls/calls-file.ts";
import { checkNames } from "./calls/check-names.ts";
import type { PlannedCall } from "./calls/write-calls.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { Ledger } from "./findings/ledger.ts";
import { Judge } from "./judge/judge.ts";
import { judgeDefinitions, judgeOutputSchema } from "./judge/judge-definitions.ts";
import { readDefinition } from "./observe/definition.ts";
import { listTools } from "./observe/list-tools.ts";
import { type CheckTarget, Session } from "./observe/session.ts";
import { runProbes } from "./probes/run-probes.ts";
import { type CheckFacts, toReport, unexercisedStatus } from "./report/to-report.ts";
import type { Profile } from "./rules/profiles.ts";

const defaultCallTimeoutMs = 5_000;
const defaultTotalTimeoutMs = 60_000;

/** Options of `checkServer`. */
export interface ServerCheckOptions {
  /** Calls beyond those of read-only tools, and values for arguments. */
  readonly calls?: CallsFile | undefined;
  /** The rules to check against: all, or those that need no envelopes. @default "contract" */
  readonly profile?: Profile | undefined;
  /** The dialect to check against. @default the one that it speaks */
  readonly dialect?: Dialect | undefined;
  /** Time limit of one call. @default 5_000 */
  readonly callTimeoutMs?: number | undefined;
  /** Time limit of the whole check. @default 60_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** The protocol version to speak. @default "auto" */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** Secrets that the server was given; a failure that contains one is a leak. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Receives the progress of the check. */
  readonly onProgress?: ((done: number, total: number, message: string) => void) | undefined;
  /** Receives a warning for each input that has no effect. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** Receives calls that would reach what may change something. */
  readonly onPlannedCalls?: ((calls: readonly PlannedCall[]) => void) | undefined;
}

/**
 * Checks a server against the rules of the contract. It calls only tools and actions that are marked
 * read-only, and those that `calls` names. Throws a ContractError if the server cannot be reached or lists no
 * tools, or if `calls` names a tool that it does not list.
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
    const { onPlannedCalls } = options;
    const coverage = await runProbes(deps, { calls, onProgress, onPlannedCalls });
    // The dialect is known only now, and the failure that an output schema must admit depends on it.
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
    return toReport({
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

/** Adds the end of the server's stderr to an error: it is the best hint at why the server cannot be used. */
function withStderr(thrown: unknown, { stderr, isCommand }: Session): unknown {
  if (!isContractError(thrown) || !isCommand) return thrown;
  const { details, ...options } = thrown.options;
  const tail = stderr.trim().slice(-500);
  return new ContractError(thrown.message, {
    ...options,
    remediation: "Start the command by itself, as it stands, and see what it says.",
    details: { ...details, ...(tail === "" ? {} : { stderr: tail }) },
    cause: thrown.cause,
  });
}
