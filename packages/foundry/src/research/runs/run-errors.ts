import {
  ContractError,
  conflict,
  type FailureOptions,
  notFound,
  type RemedyCall,
  unavailable,
} from "@foundry-mcp/contract";
import type { LockOwner } from "../../files/lock/lock-owner.ts";
import type { ResearchState } from "./research-status.ts";

/** Creates the error for an id that does not exist or belongs to another principal. */
export function researchNotFound(id: string): ContractError {
  return notFound("research", String(id).slice(0, 200).toWellFormed(), {
    remediation: "List the research runs with {1}, and use an id from that list.",
    remedy: { tool: "research", action: "list" },
  });
}

/** Creates the error for a damaged file of a run. `name` is the path of the file below the folder of all runs. */
export function corruptFile(name: string, why: string): ContractError {
  const [research_id = name] = name.split("/");
  return new ContractError(`Cannot read "${name}": ${why}`, {
    errorCode: "INVALID_FORMAT",
    remediation:
      "Delete the research with {1}, or remove its folder by hand where that fails too; then start it again.",
    remedy: { tool: "research", action: "delete", arguments: { research_id, confirm: true } },
    details: { path: name },
  });
}

/** Creates the error for an action that the state of a run does not allow. */
export function invalidState(id: string, action: string, state: ResearchState): ContractError {
  return conflict(`Cannot ${action} "${id}": it is ${state}`, {
    errorCode: "INVALID_STATE",
    ...remedies[state](id),
    details: { research_id: id, state },
  });
}

type Advice = Pick<FailureOptions, "remediation" | "remedy">;

const remedies: Readonly<Record<ResearchState, (id: string) => Advice>> = {
  running: (id) => ({
    remediation: "Wait until {1} reports completed, or cancel it with {2}.",
    remedy: [researchCall("status", id), researchCall("cancel", id)],
  }),
  interrupted: (id) => ({ remediation: "Resume it: {1}.", remedy: researchCall("resume", id) }),
  cancelled: (id) => ({
    remediation: "Resume it: {1}; or start another one.",
    remedy: researchCall("resume", id),
  }),
  failed: (id) => ({
    remediation: "Read the reason in {1}, fix it, and resume the research: {2}.",
    remedy: [researchCall("status", id), researchCall("resume", id)],
  }),
  completed: (id) => ({ remediation: "Read its report: {1}.", remedy: researchCall("report", id) }),
};

/** Creates a remedy that calls an action on one research run. */
export function researchCall(action: string, research_id: string): RemedyCall {
  return { tool: "research", action, arguments: { research_id } };
}

/**
 * Creates the error for resuming a run that is already running. `owner` is the process that executes the run, if
 * known.
 */
export function alreadyRunning(id: string, owner?: LockOwner): ContractError {
  const who =
    owner === undefined ? "it runs already" : `process ${owner.pid} on ${JSON.stringify(owner.host)} runs it`;
  return unavailable(`Cannot resume "${id}": ${who}`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Follow it with {1}, or stop it with {2} first.",
    remedy: [researchCall("status", id), researchCall("cancel", id)],
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
