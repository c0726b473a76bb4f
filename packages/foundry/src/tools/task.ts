import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { claimActions } from "./task/claim-actions.ts";
import { editActions } from "./task/edit-actions.ts";
import { readActions } from "./task/read-actions.ts";
import { stateActions } from "./task/state-actions.ts";
import { waitAction } from "./task/wait-action.ts";
import type { Workspace } from "../specs/tools/workspace.ts";

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
