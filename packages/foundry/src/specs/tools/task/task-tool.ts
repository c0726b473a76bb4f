import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import type { Workspace } from "../workspace.ts";
import { batchAction } from "./batch-action.ts";
import { editActions, statusActions } from "./change-actions.ts";
import { claimActions } from "./claim-actions.ts";
import { readActions } from "./read-actions.ts";
import { waitAction } from "./wait-action.ts";

/** Creates the tool that lists, claims and changes tasks. */
export function createTaskTool(workspace: Workspace): Tool {
  return defineTool({
    name: "task",
    version: "1.0.0",
    description: "Find, claim, do and change the tasks of specs",
    actions: {
      ...claimActions(workspace),
      ...batchAction(workspace),
      ...waitAction(workspace),
      ...readActions(workspace),
      ...statusActions(workspace),
      ...editActions(workspace),
    },
  });
}
