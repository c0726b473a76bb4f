import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import type { Workspace } from "../workspace.ts";
import { historyActions } from "./history-actions.ts";
import { markdownActions } from "./markdown-actions.ts";
import { qualityActions } from "./quality-actions.ts";
import { readActions } from "./read-actions.ts";
import { trashActions } from "./trash-actions.ts";
import { undoAction } from "./undo-action.ts";

/** Creates the tool that reads, validates, fixes and restores specs. */
export function createSpecTool(workspace: Workspace): Tool {
  const { list, get, find, schema, search } = readActions(workspace);
  const { validate, fix, stats, "analyze-deps": analyzeDeps } = qualityActions(workspace);
  return defineTool({
    name: "spec",
    version: "1.0.0",
    description: "Read, check and restore specs (plans with phases and tasks)",
    actions: {
      list,
      get,
      find,
      validate,
      fix,
      stats,
      "analyze-deps": analyzeDeps,
      schema,
      search,
      ...historyActions(workspace),
      undo: undoAction(workspace),
      ...trashActions(workspace),
      ...markdownActions(workspace),
    },
  });
}
