import { defineTool, type Tool } from "@foundry-mcp/toolkit";
import { editActions } from "./task/edit-actions.ts";
import { readActions } from "./task/read-actions.ts";
import { stateActions } from "./task/state-actions.ts";
import type { Workspace } from "./workspace.ts";

/** Creates the tool that work is done with. */
export function createTaskTool(workspace: Workspace): Tool {
  return defineTool({
    name: "task",
    version: "1.0.0",
    description: "The work of a spec: what is next, what is done, what is in the way",
    actions: { ...readActions(workspace), ...stateActions(workspace), ...editActions(workspace) },
  });
}
