import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import { pluralize } from "@foundry-mcp/toolkit/cli";
import { unwantedReasons } from "../documents/unwanted-documents.ts";
import type { ResearchReport } from "../runs/research-report.ts";
import type { ResearchRuns, RunningResearch } from "../runs/research-runs.ts";
import type { ResearchStatus } from "../runs/research-status.ts";
import { researchCall } from "../runs/run-errors.ts";

/**
 * Reports the progress of a run until the run ends, and returns its status. On a server, the run continues if the
 * caller disconnects. Interrupting a command or a job also interrupts its run, which can be resumed later.
 */
export async function followRun(
  run: RunningResearch,
  runs: ResearchRuns,
  isOneShot: boolean,
  context: Context,
): Promise<object> {
  context.ifEnded(isOneShot || context.isJob ? interrupted(run.id) : continues(run.id));
  const removeListener = run.onProgress((done, total, message) => context.progress(done, total, message));
  if (isOneShot || context.isJob)
    context.signal.addEventListener("abort", () => run.interrupt(), { once: true });
  const status = await run.ended;
  removeListener();
  const { error, state } = status;
  if (error !== undefined)
    throw new ContractError(error.message, {
      errorCode: error.code,
      remediation: error.remediation,
      data: status,
    });
  if (state !== "completed") throw notCompleted(status);
  const report = await runs.report(run.id, context);
  if (report.counts.sources === report.counts.failed) throw nothingRead(status, report);
  warnIncomplete(report, context);
  return status;
}

function interrupted(id: string) {
  return {
    message: `The research ${id} was interrupted; what is done is kept`,
    remediation: "Resume it: {1}.",
    remedy: researchCall("resume", id),
    details: { research_id: id },
  };
}

function continues(id: string) {
  return {
    message: `The research ${id} goes on, though nobody waits for it`,
    remediation: "Ask how far it is with {1}, or stop it with {2}.",
    remedy: [researchCall("status", id), researchCall("cancel", id)],
    details: { research_id: id },
  };
}

/** Creates the error for a run that another caller cancelled, or that the shutdown interrupted. */
function notCompleted(status: ResearchStatus): ContractError {
  const { research_id, state } = status;
  return new ContractError(
    `The research ${research_id} was ${state} before its report; what is done is kept`,
    {
      errorCode: "CANCELLED",
      remediation: "Resume it: {1}.",
      remedy: researchCall("resume", research_id),
      details: { research_id, state },
      data: status,
    },
  );
}

/** Creates the error for a completed run in which no source could be read. */
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
      first?.remediation ?? "Read in {1} what is wrong with each, and start again with other sources.",
    remedy: researchCall("report", research_id),
    details: { field: "sources", constraint: "readable", research_id },
    data: status,
  });
}

/** Reasons that cause no PARTIAL_FAILURE, because the report lacks no content. */
const harmlessReasons: ReadonlySet<string> = new Set(["not_a_document", "repeated", ...unwantedReasons]);

/** Warns about sources that are not in a report because they could not be read or were left out. */
export function warnIncomplete({ counts, left_out }: ResearchReport, { warn }: Pick<Context, "warn">): void {
  if (counts.failed > 0)
    warn(
      "PARTIAL_FAILURE",
      `${counts.failed} of ${pluralize(counts.sources, "source")} could not be read; the report names them`,
    );
  if (counts.left_out === 0) return;
  const reasons = new Map<string, number>();
  for (const { reason } of left_out) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
  const counted = [...reasons].map(([reason, count]) => `${reason} (${count})`).join(", ");
  const message = `${counts.left_out} left out, by reason: ${counted}; the report names them`;
  if ([...reasons.keys()].every((reason) => harmlessReasons.has(reason))) warn(message);
  else warn("PARTIAL_FAILURE", message);
}
