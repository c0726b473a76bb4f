import { ContractError } from "@foundry-mcp/contract";
import { defineTool, type Tool, withJsonSchema } from "@foundry-mcp/toolkit";
import type { Approval } from "../drift/approved-tools.ts";
import { anyArguments } from "./any-arguments.ts";

/**
 * Creates a tool that refuses every call, because its definition is not approved. The tool is not in the list of tools.
 */
export function createWithheldTool(name: string, server: string, approval: Approval): Tool {
  const tool = defineTool({
    name,
    version: "1.0.0",
    description: "",
    input: withJsonSchema(anyArguments, { type: "object" }),
    isForeign: true,
    // The refusal changes nothing, so callers without the role for changes may also read it.
    readOnly: true,
    run: (): never => {
      throw new ContractError(`Cannot call ${name}: ${describeApproval(approval)}`, {
        errorCode: "FORBIDDEN",
        remediation:
          "Compare the tools of the server with what you expect, and then approve them with gateway approve.",
        details: { upstream: server },
      });
    },
  });
  return { ...tool, unlisted: true };
}

/** Returns the reason why a definition is not approved, as a clause for messages. */
export function describeApproval(approval: Approval): string {
  return approval === "new"
    ? "its definition is not approved"
    : "its definition has changed since it was approved";
}
