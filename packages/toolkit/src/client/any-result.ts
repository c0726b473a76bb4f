import type { StandardSchemaV1 } from "@modelcontextprotocol/client";

/**
 * A schema that accepts any result unchanged, because the SDK's schemas would reject malformed results of servers.
 */
export const anyResult: StandardSchemaV1<unknown, unknown> = {
  "~standard": { version: 1, vendor: "foundry-mcp", validate: (value) => ({ value }) },
};
