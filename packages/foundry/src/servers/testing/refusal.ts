import { ContractError } from "@foundry-mcp/contract";

/** Returns the code, message, remediation and field of a failing call. */
export async function refusalOf(call: () => unknown): Promise<unknown> {
  try {
    return { returned: await call() };
  } catch (error) {
    if (!(error instanceof ContractError)) throw error;
    const { remediation, details } = error.options;
    const field = details !== undefined && "field" in details ? details.field : undefined;
    return { code: error.code, message: error.message, remediation, field };
  }
}
