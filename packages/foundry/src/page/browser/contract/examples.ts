import { errorResponse, successResponse } from "@foundry-mcp/contract";

/** Sample answers that demonstrate the view. */
export const examples: Readonly<Record<string, unknown>> = {
  "A success": successResponse({ port: "dover", metres: 6.7 }, { requestId: "req_4f9a01c2d3e4" }),
  "A failure": errorResponse("Port not found: dovr", {
    errorCode: "NOT_FOUND",
    remediation: "Use dover, calais or ostend.",
    requestId: "req_4f9a01c2d3e5",
  }),
  "A broken answer": { success: "yes", data: [], meta: { version: "response-v3" }, hint: "not a member" },
};
