import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { digestActions } from "./digest-actions.ts";
import type { Researching } from "./research.ts";
import { runActions } from "./run-actions.ts";

/** Creates the tool that reads documents: digests with quotes that can be checked, and researches over many. */
export function createResearchTool(researching: Researching): Tool {
  return defineTool({
    name: "research",
    version: "1.0.0",
    description: "Digests of documents with quotes that can be checked, and research over many",
    actions: { ...digestActions(researching), ...runActions(researching) },
  });
}
