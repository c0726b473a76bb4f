import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { digestActions } from "./digest-actions.ts";
import type { Research } from "./research.ts";
import { runActions } from "./run-actions.ts";

/** Defines the tool `research`. `open` is called by the first action, because it loads a lot of code. */
export function createResearchTool(open: () => Promise<Research>): Tool {
  return defineTool({
    name: "research",
    version: "1.0.0",
    description: "Write digests of documents with verifiable quotes, and research questions in many sources",
    actions: { ...digestActions(open), ...runActions(open) },
  });
}
