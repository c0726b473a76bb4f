import { isContractError } from "@foundry-mcp/contract";

/** True for the error of a read in a database that lacks the schema of Foundry or the workspace. */
export function isNotSetUp(thrown: unknown): boolean {
  if (!isContractError(thrown)) return false;
  const { schema, resource_type } = (thrown.options.details ?? {}) as Readonly<Record<string, unknown>>;
  return schema === 0 || resource_type === "workspace";
}
