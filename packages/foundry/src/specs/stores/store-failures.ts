import { ContractError, notFound, type Remedy, unavailable, validationError } from "@foundry-mcp/contract";
import type { SpecFolder } from "../model/spec-document.ts";

/** The error for an id that does not exist. */
export function specNotFound(id: string): ContractError {
  const shown = id.length > 200 ? `${id.slice(0, 200)}…` : id;
  return notFound("spec", shown.toWellFormed());
}

/** The error for an id whose spec is in the trash. */
export function specTrashed(id: string): ContractError {
  return new ContractError(`Spec not found: ${id} is in the trash`, {
    errorCode: "SPEC_NOT_FOUND",
    remediation: "Restore it: {1}.",
    remedy: restoreCall(id),
    details: { resource_type: "spec", resource_id: id, in_trash: true },
  });
}

/** The error for restoring a spec that is not in the trash. */
export function specNotTrashed(id: string, folder: SpecFolder): ContractError {
  return new ContractError(`Cannot restore spec "${id}": it is in ${folder}, not in the trash`, {
    errorCode: "INVALID_STATE",
    remediation: "Nothing needs to be restored: {1} reads the spec.",
    remedy: { tool: "spec", action: "get", arguments: { spec_id: id } },
    details: { spec_id: id, status: folder },
  });
}

/**
 * The error for deleting a spec if the trash already contains a spec with the same id. The trash contains
 * such a spec if another program created a second file with this id.
 */
export function trashTaken(id: string, path: string): ContractError {
  return new ContractError(`Cannot delete spec "${id}": the trash already has a spec with this id, ${path}`, {
    errorCode: "CONFLICT",
    remediation: `Move ${path} out of the trash, or remove it, then delete the spec again.`,
    details: { spec_id: id, path },
  });
}

function restoreCall(id: string): Remedy {
  return { tool: "spec", action: "restore", arguments: { spec_id: id } };
}

/** The error for a change that expects a revision other than the current revision. */
export function versionConflict(id: string, wanted: string, current: string): ContractError {
  return new ContractError(`Spec "${id}" is at revision ${current}, not at ${wanted}`, {
    errorCode: "VERSION_CONFLICT",
    remediation: "Read the spec again: {1}. Then repeat the change on the current revision.",
    remedy: { tool: "spec", action: "get", arguments: { spec_id: id } },
    details: { spec_id: id, if_revision: wanted, revision: current },
  });
}

/** The error for a file that other programs change again and again. */
export function fileKeepsChanging(id: string): ContractError {
  return unavailable(`Cannot change "${id}": another program keeps writing its file`, {
    errorCode: "RESOURCE_BUSY",
    remediation: "Nothing was changed. Call again in {1}, when the editor, git or sync program has finished.",
    remedy: { wait: 1 },
    details: { spec_id: id },
    retryAfterSeconds: 1,
  });
}

/**
 * The error for a file that is not a spec and was written a moment ago. Another program may still be writing
 * this file.
 */
export function withRetryAdvice({ message, options }: ContractError): ContractError {
  return new ContractError(message, {
    ...options,
    remediation: `Call again in a second: the file was written a moment ago and may be incomplete. If the error persists: ${options.remediation}`,
    data: { ...options.data, retry_after_seconds: 1 },
  });
}

/** The error for a revision that never existed or is no longer kept. */
export function revisionNotKept(id: string, revision: string): ContractError {
  const shown = revision.slice(0, 60).toWellFormed();
  return new ContractError(`Spec "${id}" has no stored revision "${shown}"`, {
    errorCode: "NOT_FOUND",
    remediation: "Choose a revision: {1}.",
    remedy: { tool: "spec", action: "history", arguments: { spec_id: id } },
    details: { resource_type: "revision", resource_id: shown, spec_id: id },
  });
}

/** The error for a new spec whose id exists already. */
export function specExists(id: string, folder: SpecFolder | "trash"): ContractError {
  if (folder === "trash")
    return new ContractError(`Spec "${id}" exists already, in the trash`, {
      errorCode: "DUPLICATE_ENTRY",
      remediation: "Choose another id, or restore that spec: {1}.",
      remedy: restoreCall(id),
      details: { spec_id: id, in_trash: true },
    });
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
      remediation: "Use lower-case letters, digits and hyphens.",
    },
  );
}
