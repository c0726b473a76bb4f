import { type ContractError, isContractError } from "@foundry-mcp/contract";
import { toFileError } from "../../files/durable/file-error.ts";
import { toContractError, toDisplayName } from "../documents/document-failures.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";

/** Why a source failed: a machine-readable reason, a message and a remediation. */
export interface SourceFailure {
  readonly reason: string;
  readonly error: string;
  readonly remediation: string;
}

/** Converts an error to the failure of a source; details of unexpected errors are hidden. */
export function toSourceFailure(thrown: unknown, name: string): SourceFailure {
  if (thrown instanceof UnusableDocument)
    return fromContractError(toContractError(thrown, name), thrown.reason);
  const displayName = toDisplayName(name);
  const action = `read ${JSON.stringify(displayName)}`;
  const failure = toFileError(thrown, action, displayName);
  if (isContractError(failure)) return fromContractError(failure, failure.code.toLowerCase());
  return {
    reason: "internal_error",
    error: `Cannot ${action}: something unexpected happened`,
    remediation: "Try the source by itself; if it fails again, report it.",
  };
}

function fromContractError({ message, options }: ContractError, reason: string): SourceFailure {
  return {
    reason,
    error: message,
    remediation: options.remediation ?? "Correct the source, or leave it out.",
  };
}
