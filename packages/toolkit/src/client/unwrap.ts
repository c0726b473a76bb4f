import { ContractError, type Envelope, type Failure, type UnknownRecord } from "@foundry-mcp/contract";

/**
 * Returns the payload of a success; throws a failure as a ContractError.
 *
 * @example
 * const { tasks } = unwrap(await connection.callTool<{ tasks: Task[] }>("task", { action: "list" }));
 */
export function unwrap<T extends object = UnknownRecord>(envelope: Envelope<T>): T {
  if (envelope.success) return envelope.data;
  throw toContractError(envelope);
}

/** Converts a failure to an error from which the same envelope can be built again. */
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

/**
 * Corrects the `meta` of other servers that report the fidelity "full" although they dropped content. The
 * envelope builder refuses this combination.
 */
function toConsistent(meta: Failure["meta"]): UnknownRecord {
  const { dropped_content_ids: dropped = [], content_fidelity: fidelity = "full" } = meta;
  return dropped.length > 0 && fidelity === "full" ? { ...meta, content_fidelity: "partial" } : meta;
}
