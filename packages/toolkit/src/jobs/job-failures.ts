import { ContractError, fromUnknown, notFound, unavailable } from "@foundry-mcp/contract";
import { isJobId, type Job, type JobError } from "./job.ts";

/** Creates the failure for a job that does not exist, has expired, or belongs to another principal. */
export function jobNotFound(id: unknown): ContractError {
  const failure = notFound("job", typeof id === "string" ? id : typeof id);
  if (!isJobId(id)) return failure;
  // An id of our own form is named, although it looks like a secret: its caller has sent it.
  const details = { resource_type: "job", resource_id: id };
  return new ContractError(`Job not found: ${id}`, { ...failure.options, details });
}

/** Creates the failure of a principal that has as many jobs as it may have. */
export function tooManyJobs(what: string, limit: number): ContractError {
  return unavailable(`Cannot start a job: this principal has reached the limit of ${limit} ${what}`, {
    errorCode: "RESOURCE_EXHAUSTED",
    remediation: "Wait until a job ends or expires, or cancel one.",
    details: { limit, of: what },
  });
}

/** Creates the failure of a job whose result is larger than a job may store. */
export function resultTooLarge(bytes: number, limit: number): ContractError {
  return new ContractError(`Cannot store the result of the job: it has ${bytes} bytes, more than ${limit}`, {
    errorCode: "CONTENT_TOO_LARGE",
    remediation: "Ask for less, or give the registry an archive.",
    details: { bytes, limit },
  });
}

/** Creates the failure of a job whose process ended and whose action must not run twice. */
export function jobInterrupted({ call, runs, isRepeatable }: Job): ContractError {
  const name = call.action === "" ? call.tool : `${call.tool}(action="${call.action}")`;
  const why = isRepeatable
    ? `it was interrupted ${runs} times`
    : "its process ended, and it must not run twice";
  return new ContractError(`Cannot finish the job of ${name}: ${why}`, {
    errorCode: "JOB_INTERRUPTED",
    details: { tool: call.tool, ...(call.action === "" ? {} : { action: call.action }), runs },
  });
}

/** The JSON-RPC code of an error that is no fault of the caller. */
const internalError = -32_603;

/** Converts a failure to the JSON-RPC error that a failed job stores, with the envelope as its data. */
export function toJobError(failure: ContractError, { call: { requestId } }: Job): JobError {
  const { message } = failure;
  return { code: internalError, message, data: { ...fromUnknown(failure, { requestId }) } };
}
