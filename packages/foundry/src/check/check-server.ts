import { ContractError, type Dialect, isContractError } from "@foundry-mcp/contract";
import { ValuePool } from "./arguments/value-pool.ts";
import type { CallsFile } from "./calls/calls-file.ts";
import { checkNames } from "./calls/check-names.ts";
import type { CheckReport } from "./findings/check-report.ts";
import { Ledger } from "./findings/ledger.ts";
import { Judge } from "./judge/judge.ts";
import { judgeDefinitions, judgeOutputSchema } from "./judge/judge-definitions.ts";
import { Coverage } from "./observe/coverage.ts";
import { readDefinition, subjectsOf } from "./observe/definition.ts";
import { listTools } from "./observe/list-tools.ts";
import type { Observation } from "./observe/observation.ts";
import { type CheckTarget, Session } from "./observe/session.ts";
import { droppedOf, probeDropped } from "./probes/fidelity.ts";
import { makeGivenCalls } from "./probes/given-calls.ts";
import { judgeCursors } from "./probes/judge-pages.ts";
import type { Probing } from "./probes/probe.ts";
import { probeUnknownAction, probeUnknownTool } from "./probes/refusals.ts";
import { exploreAll } from "./probes/run-probes.ts";
import { type CheckFacts, idleStatus, toReport } from "./report/to-report.ts";

/** How a server is checked. */
export interface ServerCheckOptions {
  /** Calls beyond those of read-only tools, and values for arguments. */
  readonly calls?: CallsFile | undefined;
  /** The dialect to hold it to. @default the one that it speaks */
  readonly dialect?: Dialect | undefined;
  /** How long one call may take. @default 5_000 */
  readonly callTimeoutMs?: number | undefined;
  /** How long the check may take. @default 60_000 */
  readonly totalTimeoutMs?: number | undefined;
  /** The protocol to speak. @default "auto" */
  readonly protocol?: "auto" | "legacy" | "2026-07-28" | undefined;
  /** What must not be told of the server's environment; a failure that tells it leaks. */
  readonly secrets?: readonly string[] | undefined;
  readonly signal?: AbortSignal | undefined;
  /** Told how far the check has come. */
  readonly onProgress?: ((done: number, total: number, message: string) => void) | undefined;
  /** Told of what is given and of no use. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * Holds a server to the rules of the contract. Only what says that it is read-only is called unasked.
 * Throws a ContractError where there is no server that lists its tools, and where a call names none of them.
 */
export async function checkServer(
  target: CheckTarget,
  options: ServerCheckOptions = {},
): Promise<CheckReport> {
  const started = performance.now();
  const { dialect, secrets = [] } = options;
  const ledger = new Ledger();
  const session = new Session(
    target,
    { callTimeoutMs: 5_000, totalTimeoutMs: 60_000, ...given(options) },
    ledger,
  );
  const places = () => session.places;
  const judge = new Judge({ ledger, dialect, secrets, places, budget: session.budget });
  try {
    const { serverInfo, protocolVersion, listed, rest } = await reach(session);
    const tools = listed.map(readDefinition).filter((tool) => tool !== undefined);
    if (options.calls !== undefined) checkNames(options.calls, tools, options.onWarning);
    await judgeDefinitions(listed, tools, ledger, () => session.exhausted !== undefined);
    const probing: Probing = { session, ledger, judge, pool: new ValuePool(), tools };
    const coverage = await exercise(probing, options);
    for (const tool of tools) {
      if (session.budget.isSpent) break;
      session.budget.spend(() => judgeOutputSchema(tool, judge.dialect, ledger));
    }
    const facts: CheckFacts = {
      dialect: judge.dialect,
      exhausted: session.exhausted,
      tools: tools.length,
      answers: coverage.answers,
      envelopes: judge.envelopes,
      isCommand: session.isCommand,
    };
    return toReport({
      target: target.label,
      serverInfo,
      protocolVersion,
      facts,
      results: ledger.results((rule) => idleStatus(rule, facts)),
      skips: ledger.skips(),
      findings: ledger.findings(),
      tools: coverage.tools(),
      rest,
      calls: session.calls,
      durationMs: performance.now() - started,
    });
  } finally {
    await session.close();
  }
}

/** Connects and lists the tools. */
async function reach(session: Session) {
  try {
    const { serverInfo, protocolVersion } = await session.open();
    return { serverInfo, protocolVersion, ...(await listTools(session)) };
  } catch (thrown) {
    throw withStderr(thrown, session);
  }
}

/** Makes every call that the check takes; says how far each tool was exercised. */
async function exercise(probing: Probing, { calls = noCalls, onProgress = () => {} }: ServerCheckOptions) {
  const { session, ledger, judge, pool, tools } = probing;
  const subjects = tools.flatMap(subjectsOf);
  const coverage = new Coverage(subjects);
  const reduced: Observation[] = [];
  for (const { name, outputSchema, raw } of tools) judge.expect(name, outputSchema, raw);
  for (const [name, values] of calls.values) pool.give(name, values);
  session.onObserve = (observation) => {
    coverage.count(observation);
    judge.observe(observation);
    const { ids, hashes } = droppedOf(observation);
    if (ids.length + hashes.length > 0 && reduced.length < mostReduced) reduced.push(observation);
  };
  const given = await makeGivenCalls(calls, subjects, probing);
  const bases = await exploreAll(subjects, given, probing, coverage, onProgress);
  for (const tool of tools) {
    const own = subjects.filter((subject) => subject.tool === tool.name);
    const base = bases.find(({ subject }) => subject.tool === tool.name);
    await probeUnknownAction(tool, own, base, probing);
  }
  await probeUnknownTool(probing);
  // What is fetched may be reduced as well; that is not followed any further.
  for (const observation of [...reduced]) await probeDropped(observation, probing);
  judge.settle();
  judgeCursors(subjects, coverage, ledger);
  if (session.isCommand && session.calls > 0 && !ledger.isHeld("MCP-19")) ledger.keep("MCP-19");
  return coverage;
}

/** What a server that cannot be talked to wrote to stderr is the best hint there is. */
function withStderr(thrown: unknown, { stderr, isCommand }: Session): unknown {
  if (!isContractError(thrown) || !isCommand) return thrown;
  const { details, ...options } = thrown.options;
  const said = stderr.trim().slice(-500);
  return new ContractError(thrown.message, {
    ...options,
    remediation: "Start the command by itself, as it stands, and see what it says.",
    details: { ...details, ...(said === "" ? {} : { stderr: said }) },
    cause: thrown.cause,
  });
}

const noCalls: CallsFile = { calls: [], values: new Map() };

/** Of the answers that left something out so many are followed. */
const mostReduced = 5;

function given(options: ServerCheckOptions) {
  const { callTimeoutMs, totalTimeoutMs, signal, protocol } = options;
  const all = { callTimeoutMs, totalTimeoutMs, signal, protocol };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
