import { type ContractError, internal } from "@foundry-mcp/contract";

/** The failure of a handler that broke a promise of its tool: trying again would not help. */
export function toolFault(message: string, details: object = {}): ContractError {
  return internal(message, {
    remediation: "This is a fault of the tool: report it with the request id.",
    details,
  });
}
