import { ContractError, notFound, unavailable, validationError } from "@foundry-mcp/contract";
import type { SpecFolder } from "../model/spec-document.ts";

/** The error for an id that does not exist. */
export function specNotFound(id: string): ContractError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id;
  return notFound("spec", shown.toWellFormed());
}

/** The error for a change that expects another revision than the current one. */
export function versionConflict(id: string, wanted: string, current: string): ContractError {
  return new ContractError(`Spec "${id}" is at revision ${current}, not at ${wanted}`, {
    errorCode: "VERSION_CONFLICT",
    remediation: "Read the spec again with {1}, and repeat the change on what is there now.",
    remedy: { tool: "spec", action: "get", arguments: { spec_id: id } },
    details: { spec_id: id, if_revision: wanted, revision: current },
  });
}

/** The error for a file that other programs keep writing. */
export function fileKeepsChanging(id: string): ContractError {
  return unavailable(`Cannot change "${id}": another program keeps writing its file`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Nothing was changed. Call again in {1}, when the editor, git or sync program is done.",
    remedy: { wait: 1 },
    details: { spec_id: id },
    retryAfterSeconds: 1,
  });
}

/** The error for a file that was written a moment ago and is no spec: another program may still be writing it. */
export function withRetryAdvice({ message, options }: ContractError): ContractError {
  return new ContractError(message, {
    ...options,
    remediation: `Call again in a second: the file was written a moment ago, and may not be complete. If it stays so: ${options.remediation}`,
    data: { ...options.data, retry_after_seconds: 1 },
  });
}

/** The error for a revision that never existed or is no longer kept. */
export function revisionNotKept(id: string, revision: string): ContractError {
  const shown = revision.slice(0, 60).toWellFormed();
  return new ContractError(`Spec "${id}" has no revision "${shown}" that is kept`, {
    errorCode: "NOT_FOUND",
    remediation: "Choose a revision from {1}.",
    remedy: { tool: "spec", action: "history", arguments: { spec_id: id } },
    details: { resource_type: "revision", resource_id: shown, spec_id: id },
  });
}

/** The error for a new spec whose id exists. */
export function specExists(id: string, folder: SpecFolder): ContractError {
  return new ContractError(`Spec "${id}" exists already, in ${folder}`, {
    errorCode: "DUPLICATE_ENTRY",
    remediation: "Choose another id, or change the existing spec.",
    details: { spec_id: id, status: folder },
  });
}

/** The error for an invalid id. */
export function invalidSpecId(id: string): ContractError {
  return validationError(
    { field: "spec_id", constraint: "pattern", expected: "letters, digits, -, _ and ." },
    {
      message: `"${id.slice(0, 60).toWellFormed()}" cannot be the id of a spec`,
      remediation: "Use small letters, digits and hyphens.",
    },
  );
}
