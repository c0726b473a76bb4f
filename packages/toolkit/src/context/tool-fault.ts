import { type ContractError, internal } from "@foundry-mcp/contract";

/** Creates the failure of a handler that violates the declaration of its tool; a retry would fail again. */
export function toolFault(message: string, details: object = {}): ContractError {
  return internal(message, {
    remediation: "This is a fault of the tool: report it with the request id.",
    details,
  });
}
