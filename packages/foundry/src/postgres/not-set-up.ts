import { isContractError } from "@foundry-mcp/contract";

/** True for the failure of a read in a database that has no schema of Foundry, or not the workspace. */
export function isNotSetUp(thrown: unknown): boolean {
  if (!isContractError(thrown)) return false;
  const { schema, resource_type } = (thrown.options.details ?? {}) as Readonly<Record<string, unknown>>;
  return schema === 0 || resource_type === "workspace";
}
