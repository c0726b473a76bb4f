import { isContractError } from "@foundry-mcp/contract";
import { toFileError } from "@foundry-mcp/toolkit/files";
import { toContractError, toDisplayName } from "../documents/document-failures.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";

/** The reason why a source failed, as a machine-readable code, a message and a remediation. */
export interface SourceFailure {
  readonly reason: string;
  readonly error: string;
  readonly remediation: string;
}

/** Converts an error to the failure of a source. Details of unexpected errors are hidden. */
export function toSourceFailure(thrown: unknown, name: string): SourceFailure {
  const displayName = toDisplayName(name);
  const action = `read ${JSON.stringify(displayName)}`;
  const isUnusable = thrown instanceof UnusableDocument;
  const failure = isUnusable ? toContractError(thrown, name) : toFileError(thrown, action, displayName);
  if (!isContractError(failure))
    return {
      reason: "internal_error",
      error: `Cannot ${action}: something unexpected happened`,
      remediation: "Digest the source alone; if the digest fails again, report the failure.",
    };
  return {
    reason: isUnusable ? thrown.reason : failure.code.toLowerCase(),
    error: failure.message,
    remediation: failure.remediation ?? "Correct the source, or leave it out.",
  };
}
