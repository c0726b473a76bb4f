import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import type { ResearchReport } from "../runs/research-report.ts";
import type { ResearchRuns, RunningResearch } from "../runs/research-runs.ts";
import type { ResearchStatus } from "../runs/research-status.ts";

/**
 * Tells how far a run is until it ends, and how it stands then. On a server it goes on when the caller gives up; a
 * command takes it along, and it can be gone on with.
 */
export async function followRun(
  run: RunningResearch,
  desk: ResearchRuns,
  isBrief: boolean,
  context: Context,
): Promise<object> {
  context.ifEnded(isBrief ? interrupted(run.id) : goesOn(run.id));
  const stopHearing = run.onProgress((done, total, message) => context.progress(done, total, message));
  if (isBrief) context.signal.addEventListener("abort", () => run.interrupt(), { once: true });
  try {
    return await toAnswer(await run.ended, desk, context);
  } finally {
    stopHearing();
  }
}

function interrupted(id: string) {
  return {
    message: `The research ${id} was interrupted; what is done is kept`,
    remediation: `Go on with it: foundry-cli research resume ${id}`,
    details: { research_id: id },
  };
}

function goesOn(id: string) {
  return {
    message: `The research ${id} goes on, though nobody waits for it`,
    remediation: `Ask how far it is with research(action="status", research_id="${id}"); research(action="cancel", …) stops it.`,
    details: { research_id: id },
  };
}

async function toAnswer(
  status: ResearchStatus,
  desk: ResearchRuns,
  context: Context,
): Promise<ResearchStatus> {
  const { error, research_id: id, state } = status;
  if (error !== undefined)
    throw new ContractError(error.message, {
      errorCode: error.code,
      remediation: error.remediation,
      data: status,
    });
  if (state !== "completed") throw notCompleted(status);
  const report = await desk.report(id, context);
  if (report.counts.sources === report.counts.failed) throw nothingRead(status, report);
  warnIncomplete(report, context);
  return status;
}

/** Somebody else called it off, or the process is about to end. */
function notCompleted(status: ResearchStatus): ContractError {
  const { research_id, state } = status;
  return new ContractError(
    `The research ${research_id} was ${state} before its report; what is done is kept`,
    {
      errorCode: "CANCELLED",
      remediation: `Go on with it: research(action="resume", research_id="${research_id}").`,
      details: { research_id, state },
      data: status,
    },
  );
}

/** A research without anything to read has a report, and has failed all the same. */
function nothingRead(status: ResearchStatus, { counts, sources, left_out }: ResearchReport): ContractError {
  const [first] = [...sources, ...left_out];
  const what =
    counts.sources === 0
      ? "there is no document among the sources"
      : `none of ${pluralize(counts.sources, "source")} could be read`;
  const why = first?.error === undefined ? "" : `, such as ${JSON.stringify(first.name)}: ${first.error}`;
  const { research_id } = status;
  return new ContractError(`The research ${research_id} found nothing to read: ${what}${why}`, {
    errorCode: "VALIDATION_ERROR",
    remediation:
      first?.remediation ??
      `Read in research(action="report", research_id="${research_id}") what is wrong with each, and start again with others.`,
    details: { field: "sources", constraint: "readable", research_id },
    data: status,
  });
}

/** What nobody misses: files that are no documents, and what was named twice. */
const harmless: ReadonlySet<string> = new Set(["not_a_document", "repeated"]);

/** Warns of whatever a report is not based on, with the reasons: what could not be read, and what was left out. */
export function warnIncomplete({ counts, left_out }: ResearchReport, { warn }: Pick<Context, "warn">): void {
  if (counts.failed > 0)
    warn(
      "PARTIAL_FAILURE",
      `${counts.failed} of ${pluralize(counts.sources, "source")} could not be read; the report names them`,
    );
  if (counts.left_out === 0) return;
  const reasons = countReasons(left_out.map(({ reason }) => reason));
  const told = [...reasons].map(([reason, count]) => `${reason} (${count})`).join(", ");
  const message = `${counts.left_out} left out, by reason: ${told}; the report names them`;
  if ([...reasons.keys()].every((reason) => harmless.has(reason))) warn(message);
  else warn("PARTIAL_FAILURE", message);
}

function countReasons(reasons: readonly string[]): ReadonlyMap<string, number> {
  const counts = new Map<string, number>();
  for (const reason of reasons) counts.set(reason, (counts.get(reason) ?? 0) + 1);
  return counts;
}
