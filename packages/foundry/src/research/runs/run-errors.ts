import { ContractError, conflict, notFound, unavailable } from "@foundry-mcp/contract";
import type { LockOwner } from "../../files/lock/lock-owner.ts";
import type { ResearchState } from "./research-status.ts";

/** Creates the error for an id that does not exist, or belongs to another principal. */
export function researchNotFound(id: string): ContractError {
  return notFound("research", String(id).slice(0, 200).toWellFormed(), {
    remediation: 'List your researches with research(action="list"), and use an id from there.',
  });
}

/** Creates the error for an invalid file of a run. */
export function corruptFile(name: string, why: string): ContractError {
  return new ContractError(`Cannot read "${name}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation:
      'Delete the research with research(action="delete"), or, where that fails too, remove its folder by hand; then start it again.',
    details: { path: name },
  });
}

/** Creates the error for an action that the state of a research does not allow. */
export function invalidState(id: string, action: string, state: ResearchState): ContractError {
  return conflict(`Cannot ${action} "${id}": it is ${state}`, {
    errorCode: "INVALID_STATE",
    remediation: remedies[state](id),
    details: { research_id: id, state },
  });
}

const remedies: Readonly<Record<ResearchState, (id: string) => string>> = {
  running: (id) =>
    `Wait until research(action="status", research_id="${id}") says completed, or cancel it with research(action="cancel").`,
  interrupted: (id) => `Resume it with research(action="resume", research_id="${id}").`,
  cancelled: (id) => `Resume it with research(action="resume", research_id="${id}"), or start another one.`,
  failed: (id) =>
    `Read why with research(action="status", research_id="${id}"), mend that, and resume it with research(action="resume").`,
  completed: (id) => `Read its report with research(action="report", research_id="${id}").`,
};

/** Creates the error for resuming a research that is running; `owner` is its process, if known. */
export function alreadyRunning(id: string, owner?: LockOwner): ContractError {
  const who =
    owner === undefined ? "it runs already" : `process ${owner.pid} on ${JSON.stringify(owner.host)} runs it`;
  return unavailable(`Cannot resume "${id}": ${who}`, {
    errorCode: "RESOURCE_BUSY",
    remediation: `Follow it with research(action="status", research_id="${id}"), or stop it with research(action="cancel") first.`,
    details: { research_id: id, state: "running" },
    retryAfterSeconds: 5,
  });
}

/** Creates the error for starting a run while the server shuts down. */
export function serverClosing(): ContractError {
  return unavailable("Cannot run a research: the server is closing", {
    remediation: "Start it again once the server is up: what was done is kept.",
  });
}
