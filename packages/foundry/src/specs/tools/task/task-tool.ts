import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import type { Workspace } from "../workspace.ts";
import { claimActions } from "./claim-actions.ts";
import { editActions } from "./edit-actions.ts";
import { readActions } from "./read-actions.ts";
import { stateActions } from "./change-actions.ts";
import { waitAction } from "./wait-action.ts";

/** Creates the tool that work is done with. */
export function createTaskTool(workspace: Workspace): Tool {
  return defineTool({
    name: "task",
    version: "1.0.0",
    description: "The work of a spec",
    actions: {
      ...claimActions(workspace),
      ...waitAction(workspace),
      ...readActions(workspace),
      ...stateActions(workspace),
      ...editActions(workspace),
    },
  });
}
