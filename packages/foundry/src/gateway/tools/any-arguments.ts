import type { UnknownRecord } from "@foundry-mcp/contract";

/** Accepts any arguments, because the upstream checks them itself; `withJsonSchema` adds the upstream's own schema. */
export const anyArguments = {
  "~standard": {
    version: 1 as const,
    vendor: "foundry-mcp",
    validate: (value: unknown) => ({ value: value as UnknownRecord }),
  },
};
