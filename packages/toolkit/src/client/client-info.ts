/** How a client introduces itself that was not told what to say; the version is that of this package. */
export const defaultClientInfo = { name: "foundry-mcp-client", version: "0.1.0" } as const;
