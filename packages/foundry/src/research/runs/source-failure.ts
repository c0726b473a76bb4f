import { type ContractError, isContractError } from "@foundry-mcp/contract";
import { toFileError } from "../../files/durable/file-error.ts";
import { toContractError, toShownName } from "../documents/document-failures.ts";
import { UnusableDocument } from "../documents/unusable-document.ts";

/** Why a source cannot be used: one word for programs, a sentence for people, and what to do. */
export interface SourceFailure {
  readonly reason: string;
  readonly error: string;
  readonly remediation: string;
}

/** What is told of a source that failed; of a fault that nobody foresaw only that there was one. */
export function toSourceFailure(thrown: unknown, name: string): SourceFailure {
  if (thrown instanceof UnusableDocument) return tell(toContractError(thrown, name), thrown.reason);
  const shown = toShownName(name);
  const deed = `read ${JSON.stringify(shown)}`;
  const failure = toFileError(thrown, deed, shown);
  if (isContractError(failure)) return tell(failure, failure.code.toLowerCase());
  return {
    reason: "internal_error",
    error: `Cannot ${deed}: something unexpected happened`,
    remediation: "Try the source by itself; if it fails again, report it.",
  };
}

function tell({ message, options }: ContractError, reason: string): SourceFailure {
  return {
    reason,
    error: message,
    remediation: options.remediation ?? "Correct the source, or leave it out.",
  };
}
