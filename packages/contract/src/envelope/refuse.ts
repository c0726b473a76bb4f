import { ContractError } from "../errors/contract-error.ts";

/** What a caller can do about a tool that builds its answer wrongly. */
export const toolFault = "This is a fault of the tool, not of the call; report it to the tool's author.";

/** Refuses to build an answer that would break the contract. */
export function refuse(path: string, problem: string): never {
  throw new ContractError(`Cannot build the answer: ${path} ${problem}`, {
    remediation: toolFault,
    details: { path },
  });
}
