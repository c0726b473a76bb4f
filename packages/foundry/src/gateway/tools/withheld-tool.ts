import { ContractError } from "@foundry-mcp/contract";
import { defineTool, type Tool, withJsonSchema } from "@foundry-mcp/toolkit";
import type { Approval } from "../drift/approved-tools.ts";
import { anyArguments } from "./any-arguments.ts";

/** Declares a tool that is not called because nobody has approved its definition; clients do not list it. */
export function createWithheldTool(name: string, server: string, approval: Approval): Tool {
  const tool = defineTool({
    name,
    version: "1.0.0",
    description: "",
    input: withJsonSchema(anyArguments, { type: "object" }),
    isForeign: true,
    // The refusal changes nothing, whatever role the tool itself would need.
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

/** Says in words why a definition needs attention. */
export function describeApproval(approval: Approval): string {
  return approval === "new"
    ? "its definition is not approved"
    : "its definition has changed since it was approved";
}
