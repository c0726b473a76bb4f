import { type ErrorCode, errorCatalogue } from "@foundry-mcp/contract";

/**
 * Returns the default remediation of a code for a failure of another server. The details of such a failure are not
 * those that the code has in an envelope, so the remediation refers to the server's message.
 */
export function foreignRemediation(code: ErrorCode): string {
  return errorCatalogue[code].remediation.replace(/(?:named )?in details/, "that the message names");
}
