import { ContractError, type Envelope, type Failure, type UnknownRecord } from "@foundry-mcp/contract";

/**
 * The payload of a success; a failure is thrown as the ContractError it came from.
 *
 * @example
 * const { tasks } = unwrap(await connection.callTool<{ tasks: Task[] }>("task", { action: "list" }));
 */
export function unwrap<T extends object = UnknownRecord>(envelope: Envelope<T>): T {
  if (envelope.success) return envelope.data;
  throw toContractError(envelope);
}

/** The error that a failure stands for: what rebuilds the envelope from it gives the same failure. */
export function toContractError(failure: Failure): ContractError {
  const { error_code: errorCode, error_type: errorType, remediation, details, ...data } = failure.data;
  return new ContractError(failure.error, {
    errorCode,
    errorType,
    remediation,
    details,
    data,
    meta: toConsistent(failure.meta),
  });
}

/** Others may say "full" and name what they left out; our builder would refuse that. */
function toConsistent(meta: Failure["meta"]): UnknownRecord {
  const { dropped_content_ids: dropped = [], content_fidelity: fidelity = "full" } = meta;
  return dropped.length > 0 && fidelity === "full" ? { ...meta, content_fidelity: "partial" } : meta;
}
