import { type ContractError, internal } from "@foundry-mcp/contract";

/** Creates the failure of an invalid server option: thrown when the server is created, before any client connects. */
export function refuseOption(fault: string, remediation: string, field?: string): ContractError {
  const details = field === undefined ? undefined : { field };
  return internal(`Cannot create a server over HTTP: ${fault}`, { remediation, details });
}
