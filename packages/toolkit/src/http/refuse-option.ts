import { type ContractError, internal } from "@foundry-mcp/contract";

/** The failure of an option that would not do what it says: told when the server is made, not by its clients. */
export function refuseOption(fault: string, remediation: string): ContractError {
  return internal(`Cannot create a server over HTTP: ${fault}`, { remediation });
}
