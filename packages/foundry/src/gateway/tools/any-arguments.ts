import type { UnknownRecord } from "@foundry-mcp/contract";

/**
 * A schema that accepts any arguments, because the upstream validates them itself. Use it with `withJsonSchema`, which
 * shows the upstream's own schema to clients.
 */
export const anyArguments = {
  "~standard": {
    version: 1 as const,
    vendor: "foundry-mcp",
    validate: (value: unknown) => ({ value: value as UnknownRecord }),
  },
};
