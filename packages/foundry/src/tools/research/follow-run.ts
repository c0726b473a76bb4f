import { ContractError } from "@foundry-mcp/contract";
import type { Context } from "@foundry-mcp/toolkit";
import type { RunningResearch } from "../../research/research-desk.ts";
import type { ResearchStatus } from "../../research/research-status.ts";
import { toCount } from "../../text/to-count.ts";

/**
 * Tells how far a run is until it ends, and how it stands then. On a server it goes on when the caller gives up; a
 * command takes it along, and it can be gone on with.
 */
export async function followRun(run: RunningResearch, isBrief: boolean, context: Context): Promise<object> {
  context.ifEnded(isBrief ? interrupted(run.id) : goesOn(run.id));
  const stopHearing = run.onProgress((done, total, message) => context.progress(done, total, message));
  if (isBrief) context.signal.addEventListener("abort", () => run.interrupt(), { once: true });
  try {
    return toAnswer(await run.ended, context);
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

function toAnswer(status: ResearchStatus, context: Context): ResearchStatus {
  const { error, progress, research_id } = status;
  if (error !== undefined)
    throw new ContractError(error.message, {
      errorCode: error.code,
      remediation: error.remediation,
      data: status,
    });
  if (progress === undefined || status.state !== "completed") return status;
  const { total, failed, left_out } = progress;
  if (failed === total) throw nothingRead(status, total);
  if (failed > 0)
    context.warn(
      "PARTIAL_FAILURE",
      `${failed} of ${toCount(total, "source")} could not be read; the report of ${research_id} names them`,
    );
  if (left_out > 0)
    context.warn(`${toCount(left_out, "name")} left out: no document is meant by them; the report says why`);
  return status;
}

/** A research without anything to read has a report, and has failed all the same. */
function nothingRead(status: ResearchStatus, total: number): ContractError {
  const what =
    total === 0
      ? "there is no document among the sources"
      : `none of ${toCount(total, "source")} could be read`;
  return new ContractError(`The research ${status.research_id} found nothing to read: ${what}`, {
    errorCode: "VALIDATION_ERROR",
    remediation: `Read in research(action="report", research_id="${status.research_id}") what is wrong with each, and start again with others.`,
    details: { field: "sources", constraint: "readable", research_id: status.research_id },
    data: status,
  });
}
