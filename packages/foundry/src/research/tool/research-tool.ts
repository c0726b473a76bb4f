import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { digestActions } from "./digest-actions.ts";
import type { Research } from "./research.ts";
import { runActions } from "./run-actions.ts";

/** Defines the tool `research`; `open` is called with the first action, because the code behind it is large. */
export function createResearchTool(open: () => Promise<Research>): Tool {
  return defineTool({
    name: "research",
    version: "1.0.0",
    description: "Read documents: digests with verifiable quotes, and research over many sources",
    actions: { ...digestActions(open), ...runActions(open) },
  });
}
