import type { Logger, Registry } from "@foundry-mcp/toolkit";

/** The tools, resources and prompts of a workspace, and the log configured by its settings. */
export interface OpenServer {
  readonly registry: Registry;
  readonly logger: Logger;
  close(): Promise<void>;
}
